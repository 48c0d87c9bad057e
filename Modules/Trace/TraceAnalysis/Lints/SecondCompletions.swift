/// The effects of steps that completed a second time, in patterns that received the second completion.
///
/// Such a pattern mistakes the second call for the first completion of another step. Its reaction shows in two ways.
/// Either the step that completed twice wakes a thread of the pattern, and the next step starts. Or the next step
/// starts on the lane of the call, before any span starts, resumes, works, blocks or ends there. Events that follow the
/// first completion of another step have a cause of their own.
struct SecondCompletions {
  struct Effect {
    /// The step that completed twice.
    let culprit: Int
    /// The effect: a step started, or the pattern ended.
    let result: Result
    /// A step of the same pattern that ran at that time and kept running.
    let running: Int
  }

  enum Result {
    /// `wasWoken`: a thread of the pattern, woken by the call, started the step; the call itself did not.
    case started(Int, wasWoken: Bool)
    case ended(Int)

    /// The pattern that ended; nil if a step started.
    var ended: Int? { if case .ended(let pattern) = self { pattern } else { nil } }
  }

  private(set) var effects: [Effect] = []

  private let table: SpanTable
  /// The patterns in which a step completes twice. The value lists the steps that have started and may be running.
  private var started: [Int: [Int]] = [:]
  private var haveCompletedTwice: Set<Int> = []
  /// For each pattern, the step whose second completion woke it last, if the pattern has not reacted since.
  private var wakers: [Int: Int] = [:]
  /// For each lane, the step whose second completion occurred there last, if no span has started, resumed, worked,
  /// blocked or ended there since.
  private var callers: [Lane: Int] = [:]
  /// For each pattern, the step whose second completion it received first.
  private var culprits: [Int: Int] = [:]

  /// - Parameters:
  ///   - events: in time order.
  ///   - table: the spans of these events.
  /// - Complexity: O(n) in the number of events; O(1) if nothing completed twice.
  init(_ events: TraceEvents, _ table: SpanTable) {
    self.table = table
    for misuse in table.misuses where misuse.rule == "completed-twice" {
      if let pattern = misuse.node.flatMap({ table.nodes[$0].parent }) { started[pattern] = [] }
    }
    guard !started.isEmpty else { return }
    for (position, event) in events.enumerated() { add(event, at: position) }
  }

  private mutating func add(_ event: TraceEvent, at position: Int) {
    guard let node = table[event.span] else { return }
    let pattern = table.nodes[node].parent
    switch event.kind {
    case .submitted, .listed, .awaited, .suspended, .cancelled, .counter, .mark: break
    case .misuse:
      guard event.name == "completed-twice" else { return }
      haveCompletedTwice.insert(node)
      callers[event.lane] = node
    case .blocked, .worked, .resumed:
      callers[event.lane] = nil
    case .unblocked:
      callers[event.lane] = nil
      guard event.cause.kind == .wakeUp, let waker = table[event.cause.span] else { return }
      callers[event.lane] = nil
      let isSecond = haveCompletedTwice.contains(waker) && table.nodes[waker].parent == node
      wakers[node] = isSecond ? waker : nil
      if isSecond { note(waker, of: node) }
    case .started:
      let caller = callers.removeValue(forKey: event.lane)
      // The table contains only the first start.
      guard let pattern, table.startPosition(of: node) == position else { return }
      start(node, of: pattern, at: position, caller)
    case .finished:
      callers[event.lane] = nil
      if let pattern { wakers[pattern] = nil }
      guard let culprit = culprits[node], event.outcome != .cancelled else { return }
      guard let running = running(in: node, at: position) else { return }
      effects.append(Effect(culprit: culprit, result: .ended(node), running: running))
    }
  }

  private mutating func start(
    _ node: Int, of pattern: Int, at position: Int, _ caller: Int?
  ) {
    guard started[pattern] != nil else { return }
    let direct = caller.flatMap { table.nodes[$0].parent == pattern ? $0 : nil }
    let waker = wakers.removeValue(forKey: pattern)
    if let culprit = waker ?? direct {
      note(culprit, of: pattern)
      if let running = running(in: pattern, at: position) {
        effects.append(
          Effect(
            culprit: culprit, result: .started(node, wasWoken: waker != nil), running: running))
      }
    }
    started[pattern]?.append(node)
  }

  private mutating func note(_ culprit: Int, of pattern: Int) {
    if culprits[pattern] == nil { culprits[pattern] = culprit }
  }

  /// Of the steps of a pattern that are still running after an event, the one that started last.
  private mutating func running(in pattern: Int, at position: Int) -> Int? {
    while let last = started[pattern]?.last {
      if table.finishPosition(of: last) > position { return last }
      started[pattern]?.removeLast()
    }
    return nil
  }
}
