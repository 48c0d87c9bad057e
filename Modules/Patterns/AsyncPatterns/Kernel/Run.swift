import Synchronization

/// One execution of a step, with everything it started.
///
/// A run has settled when its step has completed and every step it started has, stragglers included. It
/// lives as long as something of it is under way; nobody need keep it.
public final class Run: TracedWork {
  /// Where its time and threads come from.
  public let runtime: any Runtime
  /// What stops the run.
  public let cancellation = Cancellation()

  /// Asked for once, since a runtime's does not change.
  public let trace: (any TraceSink)?
  /// Whether its clock is virtual, so that it matters which threads come along.
  private let isSimulated: Bool
  let interposer: (any Interposer)?
  private let openCount = Atomic<Int>(1)
  private let spanCount = Atomic<UInt32>(0)
  private let result = Locked<Result<Value, any Error>?>(nil)
  private let onSettled: @Sendable (Result<Value, any Error>) -> Void

  /// Starts `step` on the pool of `runtime`.
  ///
  /// - Parameters:
  ///   - input: the step's input.
  ///   - onSettled: called once, with the step's result, when the last straggler has completed; on the
  ///     lane where that was, and under no lock. What starts even later does not call it again.
  @discardableResult
  public convenience init(
    _ step: Step, input: Value = .none, on runtime: any Runtime,
    onSettled: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.init(step, input: input, on: runtime, interposer: nil, onSettled: onSettled)
  }

  /// - Parameter interposer: stands between the run and its steps.
  @discardableResult
  public init(
    _ step: Step, input: Value, on runtime: any Runtime, interposer: (any Interposer)?,
    onSettled: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.runtime = runtime
    trace = runtime.trace
    isSimulated = runtime.clockKind == .virtual
    self.interposer = interposer
    self.onSettled = onSettled
    runtime.pool.schedule { [self] in start(step, input) }
  }

  private func start(_ step: Step, _ input: Value) {
    let scope = Scope(
      cancellation: cancellation, span: .none, run: self, children: nil,
      isUnguarded: false, flow: .sequence)
    scope.start(step, input: input) { [self] result in
      self.result.withLock { $0 = result }
    }
    closed()
  }

  /// Stops it: no further step starts, and those that run are told, on the calling thread. It settles
  /// when they have stopped.
  public func cancel() { cancellation.cancel() }

  /// The time of its runtime.
  public var now: Instant { runtime.now }

  // MARK: What is under way

  func opened() { openCount.add(1, ordering: .relaxed) }

  func closed() {
    let left = openCount.subtract(1, ordering: .acquiringAndReleasing).newValue
    guard left == 0 else { return }
    // Taken, since a step that keeps its scope may start more after the run has settled.
    let result = result.withLock { result in
      defer { result = nil }
      return result
    }
    if let result { onSettled(result) }
  }

  // MARK: Other threads

  /// Whether a thread is none of the runtime's: what it brings is to go on by way of `takeOver`.
  ///
  /// - Parameter context: that of the calling thread.
  func isForeign(_ context: LaneContext) -> Bool {
    // Who carries a simulation is at home; asking the runtime costs more.
    isSimulated && context.carried == nil && runtime.isForeignThread
  }

  /// Runs what a foreign thread has brought for a step on the pool.
  func takeOver(for span: Span, _ body: @escaping @Sendable () -> Void) {
    LaneContext.current.perform(for: span) { runtime.pool.schedule(body) }
  }

  /// A step has just ended on the calling thread. On the live clock its code may have held the lane until now; on a
  /// virtual one only work and blocking take time, and the runtime notes those.
  func noteHolder(_ span: Span, isPattern: Bool, until now: Instant) {
    guard !isSimulated, !isPattern, let trace else { return }
    LaneContext.current.noteHolder(span, until: now, in: trace)
  }

  // MARK: Its place in the trace

  /// A span for one start of `step`.
  func span(for step: Step, in scope: Scope) -> Span {
    guard let trace else { return .none }
    if let place = step.place, let span = scope.children?.claim(place) { return span }
    let span = Span(id: spanCount.add(1, ordering: .relaxed).newValue)
    submit(step, as: span, in: scope.span, at: runtime.now, to: trace)
    return span
  }

  /// Tells the trace of the steps that a pattern has got.
  func submit(_ composition: Composition, in parent: Span) -> ChildSpans? {
    let steps = composition.steps
    guard let trace, !steps.isEmpty else { return nil }
    let count = UInt32(steps.count)
    let first = spanCount.add(count, ordering: .relaxed).oldValue + 1
    let now = runtime.now
    for (offset, step) in steps.enumerated() {
      let span = Span(id: first + UInt32(offset))
      submit(step, as: span, in: parent, at: now, to: trace)
    }
    return ChildSpans(of: composition, first: first)
  }

  private func submit(
    _ step: Step, as span: Span, in parent: Span, at now: Instant, to trace: any TraceSink
  ) {
    trace.record(.submitted(span, in: parent, label: step.label, kind: step.kind, at: now))
    if let group = step.group { trace.record(.listed(span, in: group, at: now)) }
  }

  /// Reports that a step was used wrongly.
  func report(_ rule: String, _ detail: String, of span: Span) {
    runtime.misuse(rule, detail, of: span)
  }
}

/// The spans of the steps that a pattern has got: each is used for the first start of its step.
final class ChildSpans: Sendable {
  private let composition: UInt64
  private let first: UInt32
  private let predecessors: PredecessorPositions?
  private let isClaimed: Locked<[Bool]>

  init(of composition: Composition, first: UInt32) {
    self.composition = composition.id
    self.first = first
    predecessors = composition.predecessors
    isClaimed = Locked(Array(repeating: false, count: composition.steps.count))
  }

  /// Nil for a step that was started before, and for one that another pattern was handed.
  func claim(_ place: Step.Place) -> Span? {
    guard place.composition == composition else { return nil }
    let isFirst = isClaimed.withLock { isClaimed in
      defer { isClaimed[place.position] = true }
      return !isClaimed[place.position]
    }
    return isFirst ? Span(id: first + UInt32(place.position)) : nil
  }
  /// The spans of the steps that a step comes after, under a pattern that goes by it.
  func predecessors(of step: Step) -> [Span] {
    guard let predecessors, let place = step.place, place.composition == composition else {
      return []
    }
    return predecessors[place.position].map { Span(id: first + UInt32($0)) }
  }
}
