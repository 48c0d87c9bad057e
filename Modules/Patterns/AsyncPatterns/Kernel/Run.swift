import Synchronization

/// One execution of a step, with everything it started.
///
/// A run has settled when its step and every step started in it have completed, stragglers included. It stays alive as
/// long as any of its steps is in progress; the caller need not hold it.
public final class Run: TracedWork {
  /// The source of its time and threads.
  public let runtime: any Runtime
  /// The pool of the runtime.
  let pool: any Scheduler
  /// Cancels the run.
  public let cancellation = Cancellation()

  /// The trace of the runtime. It is stored because it does not change.
  public let trace: (any TraceSink)?
  /// Whether its clock is virtual. Then results from foreign threads need care.
  private let isSimulated: Bool
  let interposer: (any Interposer)?
  private let openCount = Atomic<Int>(1)
  private let hasBeenAbandoned = Atomic<Bool>(false)
  /// How many steps the run's patterns can start after it has been abandoned. That is enough for them to end properly.
  package static let lastStarts = 10_000
  private let startsLeft = Atomic<Int>(Run.lastStarts)
  private let spanCount = Atomic<UInt32>(0)
  /// Whether the trace numbers the steps.
  private let isNumberedByTrace: Bool
  private let result = Locked<Result<Value, any Error>?>(nil)
  private let onSettled: @Sendable (Result<Value, any Error>) -> Void

  /// Starts `step` on the pool of `runtime`.
  ///
  /// - Parameters:
  ///   - input: the step's input.
  ///   - onSettled: called once with the step's result when the last straggler has completed. It is called on the lane
  ///     where that happened, and under no lock. Steps that start even later do not call it again.
  @discardableResult
  public convenience init(
    _ step: Step, input: Value = .none, on runtime: any Runtime,
    onSettled: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.init(step, input: input, on: runtime, interposer: nil, onSettled: onSettled)
  }

  /// - Parameter interposer: intercepts the starts of steps.
  @discardableResult
  public init(
    _ step: Step, input: Value, on runtime: any Runtime, interposer: (any Interposer)?,
    onSettled: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.runtime = runtime
    pool = runtime.pool
    trace = runtime.trace
    isNumberedByTrace = runtime.trace.map { $0.nextSpans(ofRun: 0) != .none } ?? false
    isSimulated = runtime.clockKind == .virtual
    self.interposer = interposer
    self.onSettled = onSettled
    let scope = Scope(
      cancellation: cancellation, span: .none, run: self, children: nil,
      isUnguarded: false, flow: .sequence)
    // A trace of a whole process shows the run below the code that starts it.
    let announced = isNumberedByTrace ? scope.announce(step) : nil
    pool.schedule { [self] in start(step, as: announced, input, in: scope) }
  }

  private func start(
    _ step: Step, as announced: AnnouncedStep?, _ input: Value, in scope: Scope
  ) {
    let completion: Completion = { [self] result in
      self.result.withLock { $0 = result }
    }
    if let announced {
      scope.start(announced, input: input, completion: completion)
    } else {
      scope.start(step, input: input, completion: completion)
    }
    closed()
  }

  /// Cancels the run: no further step starts, and running steps are notified on the calling thread. The run settles
  /// when they have stopped.
  public func cancel() {
    if trace == nil { cancellation.cancel() } else { cancellation.cancel(at: now) }
  }

  /// Abandons the run. After ``lastStarts`` more steps, its patterns start none, and the completions of refused steps
  /// are released without a call. A pattern that starts a step from each completion therefore ends, even if it ignores
  /// the cancellation. The run may never settle.
  package func abandon() { hasBeenAbandoned.store(true, ordering: .relaxed) }

  var isAbandoned: Bool { hasBeenAbandoned.load(ordering: .relaxed) }

  /// Whether the run's patterns can start another step. Call this once for each step.
  func takeStart() -> Bool {
    !isAbandoned || startsLeft.subtract(1, ordering: .relaxed).newValue >= 0
  }

  /// The time of its runtime.
  public var now: Instant { pool.now }

  // MARK: Work in progress

  func opened() { openCount.add(1, ordering: .relaxed) }

  func closed() {
    let left = openCount.subtract(1, ordering: .acquiringAndReleasing).newValue
    guard left == 0 else { return }
    // Removed, because a step that keeps its scope may start more steps after the run has settled.
    let result = result.withLock { result in
      defer { result = nil }
      return result
    }
    if let result { onSettled(result) }
  }

  // MARK: Other threads

  /// Whether a thread does not belong to the runtime. The results of such a thread must pass through `takeOver`.
  ///
  /// - Parameter context: the context of the calling thread.
  func isForeign(_ context: LaneContext) -> Bool {
    // A thread that carries a simulation belongs to the runtime. Asking the runtime costs more.
    isSimulated && context.carried == nil && runtime.isForeignThread
  }

  /// Runs `body` on the pool, on behalf of a step, instead of on the foreign thread that calls this function.
  func takeOver(for span: Span, _ body: @escaping @Sendable () -> Void) {
    LaneContext.current.perform(for: span) { pool.schedule(body) }
  }

  /// Records that a step has just ended on the calling thread. On the live clock, its code may have held the lane until
  /// now. On a virtual clock only working and blocking take time, and the runtime records those.
  func noteHolder(_ span: Span, isPattern: Bool, until now: Instant) {
    guard !isSimulated, !isPattern, let trace else { return }
    LaneContext.current.noteHolder(span, until: now, in: trace)
  }

  // MARK: Its spans in the trace

  /// A span for one start of `step`.
  func span(for step: Step, in scope: Scope) -> Span {
    guard let trace else { return .none }
    if let span = scope.children?.claim(step) { return span }
    let span = nextSpans(1, in: trace)
    submit(step, as: span, in: scope.span, at: now, to: trace)
    return span
  }

  /// Records the steps of a pattern in the trace.
  func submit(_ composition: Composition, in parent: Span) -> ChildSpans? {
    let steps = composition.steps
    guard let trace, !steps.isEmpty else { return nil }
    let first = nextSpans(UInt32(steps.count), in: trace)
    let now = now
    for (offset, step) in steps.enumerated() {
      let span = Span(id: first.id + UInt32(offset))
      submit(step, as: span, in: parent, at: now, to: trace)
    }
    return ChildSpans(of: composition, first: first)
  }

  /// The first of the spans for the next `count` steps.
  private func nextSpans(_ count: UInt32, in trace: any TraceSink) -> Span {
    if isNumberedByTrace { return trace.nextSpans(ofRun: count) }
    return Span(id: spanCount.add(count, ordering: .relaxed).oldValue + 1)
  }

  private func submit(
    _ step: Step, as span: Span, in parent: Span, at now: Instant, to trace: any TraceSink
  ) {
    trace.record(.submitted(span, in: parent, label: step.label, kind: step.kind, at: now))
    if let group = step.group { trace.record(.listed(span, in: group, at: now)) }
  }

  /// Reports that a step was used incorrectly.
  func report(_ rule: String, _ detail: String, of span: Span) {
    runtime.misuse(rule, detail, of: span)
  }
}

/// The spans of the steps of a pattern. Each is used for the first start of its step.
final class ChildSpans: Sendable {
  private let composition: UInt32
  private let count: Int
  private let first: Span
  private let predecessors: PredecessorPositions?
  private let isClaimed: Locked<[Bool]>

  init(of composition: Composition, first: Span) {
    self.composition = composition.id
    count = composition.steps.count
    self.first = first
    predecessors = composition.predecessors
    isClaimed = Locked(Array(repeating: false, count: count))
  }

  /// The span of a step. Nil if the step was already started, or belongs to another pattern.
  func claim(_ step: Step) -> Span? {
    guard let position = position(of: step) else { return nil }
    let isFirst = isClaimed.withLock { isClaimed in
      defer { isClaimed[position] = true }
      return !isClaimed[position]
    }
    return isFirst ? span(at: position) : nil
  }

  /// The spans of the predecessors of a step, under a pattern that orders its steps by dependency.
  func predecessors(of step: Step) -> [Span] {
    guard let predecessors, let position = position(of: step) else { return [] }
    return predecessors[position].map { span(at: Int($0)) }
  }

  /// Nil if the step belongs to another pattern.
  private func position(of step: Step) -> Int? {
    guard let place = step.place, place.composition == composition, place.position < count else {
      return nil
    }
    return place.position
  }

  private func span(at position: Int) -> Span { Span(id: first.id + UInt32(position)) }
}
