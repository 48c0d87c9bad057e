/// What came of steps that completed a second time, where their pattern was told again.
///
/// Such a pattern takes the second call for another step's first one. What it does then shows in two ways:
/// a thread of it is woken by the step that has completed twice, and the next step starts; or the next
/// step starts on the lane of the call, before anything else happens there. What happens after something
/// has ended for the first time has a cause of its own.
struct SecondCompletions {
  struct Effect {
    /// The step that completed twice.
    let culprit: Int
    /// What happened: a step started, or the pattern ended.
    let result: Result
    /// A step of the same pattern that ran then, and went on.
    let running: Int
  }

  enum Result {
    /// `wasWoken`: not by the call itself, but by a thread of the pattern that it woke.
    case started(Int, wasWoken: Bool)
    case ended(Int)

    /// The pattern, if it is one that ended.
    var ended: Int? { if case .ended(let pattern) = self { pattern } else { nil } }
  }

  private(set) var effects: [Effect] = []

  private let table: SpanTable
  /// The patterns a step of which completes twice, each with the steps that have started in it and may be
  /// running.
  private var started: [Int: [Int]] = [:]
  private var haveCompletedTwice: Set<Int> = []
  /// By the pattern: whose second completion has woken it last, if it has done nothing since.
  private var wakers: [Int: Int] = [:]
  /// By the lane: whose second completion happened there last, if nothing has since.
  private var callers: [Lane: Int] = [:]
  /// By the pattern: whose second completion it was told of first.
  private var culprits: [Int: Int] = [:]

  /// - Parameters:
  ///   - events: in time order.
  ///   - table: what they come to.
  /// - Complexity: O(n) in the number of events; O(1) where nothing completed twice.
  init(_ events: [TraceEvent], _ table: SpanTable) {
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
      // Only its first start is in the table.
      guard let pattern, table.nodes[node].startPosition == position else { return }
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

  /// Of the steps of a pattern, the last one to have started that runs on after an event.
  private mutating func running(in pattern: Int, at position: Int) -> Int? {
    while let last = started[pattern]?.last {
      if table.nodes[last].finishPosition > position { return last }
      started[pattern]?.removeLast()
    }
    return nil
  }
}
