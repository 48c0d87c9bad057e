/// Converts the events of spans to moments, and finds the earlier moments that their causes mean.
extension SpanTable {
  mutating func addAwaited(_ event: TraceEvent, by node: Int) {
    moments.await(moment(of: event.cause, for: node), event.cause.kind, by: node)
  }

  mutating func addStart(_ event: TraceEvent, of node: Int, at position: Int) {
    let ready = event.cause.kind == .lane ? event.after : event.cause
    // If nothing else is recorded, the pattern caused the start.
    let cause = ready.kind == .itself ? parentCause(of: node) : ready
    addMoment(.start, event, of: node, at: position, because: cause, until: event.since.nanoseconds)
  }

  /// - Parameter pause: how long the span was blocked or suspended, if that is known.
  mutating func addResumption(
    _ event: TraceEvent, of node: Int, at position: Int, after pause: Int64?
  ) {
    let isByTimer = event.cause == Cause(.timer, event.span)
    // The code of a step that waits for a task does not record when the wait began.
    let isUnmeasured = event.kind == .resumed && event.cause.kind == .end
    let own = isUnmeasured ? moments.last(of: node) : nil
    let pause = pause ?? own.map { event.time.nanoseconds.subtractingClamped(moments[$0].time) }
    if let pause, ![.itself, .timer, .lane].contains(event.cause.kind),
      let waker = moment(of: event.cause, for: node)
    {
      // The wait for the other span is the slack of the span's own previous moment.
      return moments.add(
        makeMoment(.resume, event, of: node, at: position),
        after: moments.last(of: node).map { Moments.Input(moment: $0, kind: .itself) },
        Moments.Input(moment: waker, kind: event.cause.kind), wait: pause)
    }
    let first = event.cause.kind == .lane || isByTimer ? event.after : event.cause
    // The timer of a blocked thread was set when the thread blocked.
    let set = event.kind == .resumed ? event.since.nanoseconds : nil
    // A span that waited for its lane had to suspend itself first.
    let hadSuspended = event.kind == .resumed && event.cause.kind == .lane
    addMoment(
      .resume, event, of: node, at: position, because: first, until: set,
      own: hadSuspended ? moments.last(of: node) : nil)
  }

  mutating func addFinish(_ event: TraceEvent, of node: Int, at position: Int) {
    noteCanceller(event, of: node)
    let canceller = event.cause.kind == .cancellation ? event.cause : event.after
    if canceller.kind == .cancellation {
      let by = self[canceller.span]
      nodes[node].changeDetails { $0.cancelled = (by, event.since.nanoseconds) }
    }
    var own: Int?
    var pattern: Int?
    switch event.cause.kind {
    case .timer, .cancellation: break
    case .itself, .end, .permit, .wakeUp, .lane, .parent:
      if !nodes[node].isLeaf {
        // A pattern that was cancelled from outside did not wait for its parts.
        if nodes[node].details?.canceller == nil { pattern = node }
      } else if event.cause.kind != .itself {
        // The end of a leaf that another span ended also depends on the leaf's own last moment.
        own = moments.last(of: node)
      }
    }
    // If the node then waited for a lane on which to end, it had been cancelled before.
    let cause = event.cause.kind == .lane ? Cause.itself : event.cause
    addMoment(
      .finish, event, of: node, at: position, because: cause, until: event.since.nanoseconds,
      own: own, partsOf: pattern)
  }

  /// Stores which span outside a node cancelled it, directly or through its last part.
  private mutating func noteCanceller(_ event: TraceEvent, of node: Int) {
    switch event.cause.kind {
    case .cancellation:
      let canceller = self[event.cause.span]
      nodes[node].changeDetails { $0.canceller = canceller }
    case .end:
      guard let canceller = self[event.cause.span].flatMap({ nodes[$0].details?.canceller }) else {
        return
      }
      let isInside = canceller == node || isPart(canceller, of: node)
      if !isInside { nodes[node].changeDetails { $0.canceller = canceller } }
    case .itself, .timer, .permit, .wakeUp, .lane, .parent: break
    }
  }

  mutating func addCancellation(_ event: TraceEvent, of node: Int, at position: Int) {
    addMoment(.cancellation, event, of: node, at: position, because: event.cause)
  }

  /// - Parameters:
  ///   - cause: what it waited for, before any wait for a lane.
  ///   - until: the time of that cause, if it came before a timer or a lane.
  ///   - own: the node's own last moment, if the moment waited for it, too.
  ///   - pattern: the pattern for whose parts it waited.
  private mutating func addMoment(
    _ kind: Moments.Moment.Kind, _ event: TraceEvent, of node: Int, at position: Int,
    because cause: Cause, until: Int64? = nil, own: Int? = nil, partsOf pattern: Int? = nil
  ) {
    let moment = makeMoment(kind, event, of: node, at: position)
    let isQueued = event.cause.kind == .lane
    let isLater = isQueued || moment.isByTimer || kind == .finish && cause.kind == .cancellation
    var (cause, first) = (cause, self.moment(of: cause, for: node, until: isLater ? until : nil))
    if first == nil, kind == .finish || kind == .resume && nodes[node].isTask {
      // Code outside all spans has no moments. The time until then belongs to the span itself.
      (cause, first) = (.itself, moments.last(of: node))
    }
    let isNamed = event.cause.kind != .itself
    let after = first.map { Moments.Input(moment: $0, kind: cause.kind, isNamed: isNamed) }
    let queued = queued(event, of: node)
    let holder = isQueued ? self.moment(of: event.cause, for: node) : nil
    let lane = holder.map { Moments.Input(moment: $0, kind: .lane) }
    if let pattern {
      moments.add(
        moment, after: after, lane, wait: queued, parts: awaitedParts(of: pattern))
    } else {
      moments.add(
        moment, after: after, lane, wait: queued,
        own: own.map { Moments.Input(moment: $0, kind: .itself) })
    }
  }

  /// Makes the moment of an event, without its inputs.
  private func makeMoment(
    _ kind: Moments.Moment.Kind, _ event: TraceEvent, of node: Int, at position: Int
  ) -> Moments.Moment {
    let isQueued = event.cause.kind == .lane
    return Moments.Moment(
      node: node, time: event.time.nanoseconds, position: position, kind: kind,
      cause: event.cause.kind,
      isByTimer: kind == .resume && (isQueued ? event.isTimed : event.cause.kind == .timer))
  }

  /// How long a moment had waited for its lane.
  func queued(of moment: Moments.Moment) -> Int64 {
    moment.cause == .lane ? queued(events[moment.position], of: moment.node) : 0
  }

  /// How long a node had waited for its lane. It cannot have waited before it was submitted, but invented events may
  /// name any time.
  func queued(_ event: TraceEvent, of node: Int) -> Int64 {
    guard event.cause.kind == .lane else { return 0 }
    let age = event.time.nanoseconds.subtractingClamped(submitTime(of: node))
    return max(min(event.queued.wholeNanoseconds, age), 0)
  }

  /// The moment that a cause means: the last moment of its span, or its end.
  private func moment(of cause: Cause, for node: Int, until time: Int64? = nil) -> Int? {
    if cause.kind == .itself { return moments.last(of: node, until: time ?? .max) }
    guard var source = self[cause.span] else { return nil }
    if cause.kind == .end, let end = end(of: source, until: time ?? .max) { return end }
    // The source gave up its place when it was cancelled, although it keeps running.
    if cause.kind == .permit, let moment = moments.ofCancellation[source],
      moment > moments.last(of: source) ?? -1
    {
      return moment
    }
    if cause.kind == .cancellation { return moment(ofCancelling: node, by: source, until: time) }
    // A place such as a queue has no moments of its own. The span that made it has some.
    for _ in 0..<Self.deepest where moments.last(of: source) == nil {
      guard let parent = nodes[source].parent else { break }
      source = parent
    }
    return moments.last(of: source, until: time ?? .max)
  }

  /// The moment at which a node ended, if that is no later than `time`. Otherwise the moment at which it was cancelled
  /// and kept running, or else its later end.
  private func end(of node: Int, until time: Int64) -> Int? {
    if let end = moments.finish(of: node), moments[end].time <= time { return end }
    return moments.ofCancellation[node] ?? moments.finish(of: node)
  }

  /// The moment at which a span cancelled a node. If the span is an enclosing pattern that then ended, it is the moment
  /// before its end.
  func moment(ofCancelling node: Int, by canceller: Int, until time: Int64?) -> Int? {
    let last = moments.last(of: canceller, until: time ?? .max)
    guard let last, moments[last].kind == .finish, isPart(node, of: canceller) else { return last }
    return moments[last].previous
  }

  /// Whether a node is a part of a pattern, at any depth.
  ///
  /// - Complexity: O(n) in the number of patterns around it.
  func isPart(_ node: Int, of pattern: Int) -> Bool {
    self.part(of: pattern, holding: node) != nil
  }

  /// The direct part of a pattern that contains a node, or is the node itself.
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
    Cause(.parent, nodes[node].parent.map { span(of: $0) } ?? .none)
  }

  /// The parts for whose ends a pattern waited. Parts that the pattern cancelled ended because of it. Their ends are
  /// left out, unless a timer was the reason.
  private func awaitedParts(of pattern: Int) -> some Sequence<Moments.Part> {
    parts(of: pattern).lazy.map { [nodes] part in
      Moments.Part(node: part, isCancelled: nodes[part].outcome == .cancelled)
    }
  }
}

extension TraceEvent {
  /// Whether a resumed span that waited for its lane had waited for a timer before.
  fileprivate var isTimed: Bool {
    since.nanoseconds < time.nanoseconds.subtractingClamped(queued.wholeNanoseconds)
  }
}
