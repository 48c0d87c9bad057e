/// The events of spans as moments: which earlier moments their causes mean.
extension SpanTable {
  mutating func addAwaited(_ event: TraceEvent, by node: Int) {
    moments.await(moment(of: event.cause, for: node), event.cause.kind, by: node)
  }

  mutating func addStart(_ event: TraceEvent, of node: Int, at position: Int) {
    let ready = event.cause.kind == .lane ? event.after : event.cause
    // A start for which nothing else is recorded is its pattern's doing.
    let cause = ready.kind == .itself ? parentCause(of: node) : ready
    addMoment(.start, event, of: node, at: position, because: cause, until: event.since.nanoseconds)
  }

  /// - Parameter pause: for how long the span was blocked or suspended, if it was.
  mutating func addResumption(
    _ event: TraceEvent, of node: Int, at position: Int, after pause: Int64?
  ) {
    let isByTimer = event.cause == Cause(.timer, event.span)
    if let pause, ![.itself, .timer, .lane].contains(event.cause.kind),
      let waker = moment(of: event.cause, for: node)
    {
      // Its own moment before this one could have come as much later as it waited for the other span.
      return moments.add(
        makeMoment(.resume, event, of: node, at: position),
        after: moments.last[node].map { Moments.Input(moment: $0, kind: .itself) },
        Moments.Input(moment: waker, kind: event.cause.kind), wait: pause)
    }
    let first = event.cause.kind == .lane || isByTimer ? event.after : event.cause
    // The timer of a blocked thread was set when it blocked.
    let set = event.kind == .resumed ? event.since.nanoseconds : nil
    addMoment(.resume, event, of: node, at: position, because: first, until: set)
  }

  mutating func addFinish(_ event: TraceEvent, of node: Int, at position: Int) {
    var also: [Moments.Input] = []
    noteCanceller(event, of: node)
    let canceller = event.cause.kind == .cancellation ? event.cause : event.after
    if canceller.kind == .cancellation {
      nodes[node].cancelled = (self[canceller.span], event.since.nanoseconds)
    }
    switch event.cause.kind {
    case .timer, .cancellation: break
    case .itself, .end, .permit, .wakeUp, .lane, .parent:
      if !nodes[node].isLeaf {
        // Cancelled from outside, it has not come after its parts.
        also = nodes[node].canceller == nil ? ends(ofPartsOf: node) : []
      } else if event.cause.kind != .itself, let own = moments.last[node] {
        // What another span's code ends has come to its own last moment, too.
        also = [Moments.Input(moment: own, kind: .itself)]
      }
    }
    // When it then waited for a lane to end on, it had been cancelled before.
    let cause = event.cause.kind == .lane ? Cause.itself : event.cause
    addMoment(
      .finish, event, of: node, at: position, because: cause, until: event.since.nanoseconds,
      also: also)
  }

  /// Keeps the span outside of a node that cancelled it, be it by its last part.
  private mutating func noteCanceller(_ event: TraceEvent, of node: Int) {
    switch event.cause.kind {
    case .cancellation: nodes[node].canceller = self[event.cause.span]
    case .end:
      guard let canceller = self[event.cause.span].flatMap({ nodes[$0].canceller }) else { return }
      let isInside = canceller == node || isPart(canceller, of: node)
      nodes[node].canceller = isInside ? nil : canceller
    case .itself, .timer, .permit, .wakeUp, .lane, .parent: break
    }
  }

  mutating func addCut(_ event: TraceEvent, of node: Int, at position: Int) {
    addMoment(.cut, event, of: node, at: position, because: event.cause)
  }

  /// - Parameters:
  ///   - cause: what it waited for, before it may have waited for a lane.
  ///   - until: when that was, if it was before a timer or a lane.
  private mutating func addMoment(
    _ kind: Moments.Moment.Kind, _ event: TraceEvent, of node: Int, at position: Int,
    because cause: Cause, until: Int64? = nil, also: [Moments.Input] = []
  ) {
    let moment = makeMoment(kind, event, of: node, at: position)
    let isQueued = event.cause.kind == .lane
    let isLater = isQueued || moment.isByTimer || kind == .finish && cause.kind == .cancellation
    let first = self.moment(of: cause, for: node, until: isLater ? until : nil)
    let holder = isQueued ? self.moment(of: event.cause, for: node) : nil
    let isNamed = event.cause.kind != .itself
    moments.add(
      moment,
      after: first.map { Moments.Input(moment: $0, kind: cause.kind, isNamed: isNamed) },
      holder.map { Moments.Input(moment: $0, kind: .lane) }, wait: moment.queued, also: also)
  }

  /// The moment that an event is, without what it waited for.
  private func makeMoment(
    _ kind: Moments.Moment.Kind, _ event: TraceEvent, of node: Int, at position: Int
  ) -> Moments.Moment {
    let isQueued = event.cause.kind == .lane
    return Moments.Moment(
      node: node, time: event.time.nanoseconds, position: position,
      queued: isQueued ? max(event.queued.wholeNanoseconds, 0) : 0, kind: kind,
      cause: event.cause.kind,
      isByTimer: kind == .resume && (isQueued ? event.isTimed : event.cause.kind == .timer))
  }

  /// The moment that a cause means: the last one of its span, or its end.
  private func moment(of cause: Cause, for node: Int, until time: Int64? = nil) -> Int? {
    if cause.kind == .itself { return moments.last(of: node, until: time ?? .max) }
    guard var source = self[cause.span] else { return nil }
    if cause.kind == .end, let end = end(of: source, until: time ?? .max) { return end }
    // It left its place when it was cancelled, though it keeps running.
    if cause.kind == .permit, let cut = moments.ofCut[source], cut > moments.last[source] ?? -1 {
      return cut
    }
    if cause.kind == .cancellation { return moment(ofCancelling: node, by: source, until: time) }
    // A place such as a queue has no moments of its own; the span that made it has.
    for _ in 0..<Self.deepest where moments.last[source] == nil {
      guard let parent = nodes[source].parent else { break }
      source = parent
    }
    return moments.last(of: source, until: time ?? .max)
  }

  /// When a node ended by then, or was cancelled and kept running.
  private func end(of node: Int, until time: Int64) -> Int? {
    if let end = moments.ofFinish[node], moments[end].time <= time { return end }
    return moments.ofCut[node] ?? moments.ofFinish[node]
  }

  /// The moment at which a span cancelled a node: of a pattern around that, before it ended itself.
  func moment(ofCancelling node: Int, by canceller: Int, until time: Int64?) -> Int? {
    let last = moments.last(of: canceller, until: time ?? .max)
    guard let last, moments[last].kind == .finish, isPart(node, of: canceller) else { return last }
    return moments[last].previous
  }

  /// Whether a node is a part of a pattern, however deep.
  ///
  /// - Complexity: O(n) in the number of patterns around it.
  func isPart(_ node: Int, of pattern: Int) -> Bool {
    self.part(of: pattern, holding: node) != nil
  }

  /// The part of a pattern that a node is, or is a part of.
  func part(of pattern: Int, holding node: Int) -> Int? {
    var part = node
    for _ in 0..<Self.deepest {
      guard let parent = nodes[part].parent, parent >= pattern else { return nil }
      if parent == pattern { return part }
      part = parent
    }
    return nil
  }

  private func parentCause(of node: Int) -> Cause {
    Cause(.parent, nodes[node].parent.map { nodes[$0].span } ?? .none)
  }

  /// The ends of the parts of a pattern, which it has come after. Parts that it cancelled end because of it, unless a
  /// timer was the reason.
  private func ends(ofPartsOf pattern: Int) -> [Moments.Input] {
    parts(of: pattern).compactMap { part in
      let end = nodes[part].outcome == .cancelled ? nil : moments.ofFinish[part]
      return (end ?? moments.ofCut[part]).map { Moments.Input(moment: $0, kind: .end) }
    }
  }
}

extension TraceEvent {
  /// Whether a resumed span that waited for its lane had waited for a timer before.
  fileprivate var isTimed: Bool {
    since.nanoseconds < time.nanoseconds.subtractingClamped(queued.wholeNanoseconds)
  }
}
