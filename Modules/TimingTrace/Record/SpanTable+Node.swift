internal import AsyncPatterns

extension SpanTable {
  /// One span, and what became of it.
  struct Node {
    let span: Span
    let label: String
    let kind: String
    let submitted: Int64
    /// The position of the pattern it is a part of.
    var parent: Int?
    var group: String?
    var started: Int64?
    var finished: Int64?
    // Positions among all events order what shares an instant:
    //
    // - `submitPosition`, `startPosition`, `finishPosition`: the events of the node itself;
    // - `askPosition`: when its pattern wanted it to start, which may be long before it got its lane;
    // - `cut.position`: when nobody waited for it any longer, since a timer had cut it off;
    // - `endPosition`: when whoever came after it could go on: there, or else with its finish;
    // - `stopPosition`: when it let go of its lane: with its finish if it went on for longer than it takes to be told.
    let submitPosition: Int
    /// As far as edges tell.
    var askPosition: Int
    var startPosition = Int.max
    var finishPosition = Int.max
    var outcome: TraceEvent.Outcome?
    /// What its end tells more of.
    var ending: TraceEvent.Ending = []
    var reason = ""
    /// Which of the waits for lanes it ended after; and the last one of its pattern before it started.
    var endWait: Int?
    var startWait: Int?
    /// When nobody waited for it any longer, since a timer had cut it off, if it had not ended before then.
    var cut: Cut?
    /// When a timer went off that was to cut it off.
    var timeout: Timeout?
    /// As that, of its last part of which that is told.
    var partTimeout: Timeout?
    /// When a timer cut it off, if it went on all the same.
    var wentOnSince: Int64?
    /// Whether its own code ended it after a timer had cut it off, or its last part ended so.
    var endsByItself = false
    /// Whether something came after its end, though a timer had cut it off before.
    var isWaitedFor = false
    var startLane: Lane?
    var finishLane: Lane?
    var workLane: Lane?
    var blockLane: Lane?
    var work: Int64 = 0
    var blocked: Int64 = 0
    var blockCount = 0
    /// Whether a lane stood parked on its behalf to the end.
    var isParked = false
    var firstChild: Int?
    var lastChild: Int?
    /// Which of its parts has ended last, of those that had started, if any had.
    var lastEnded: Int?
    var nextSibling: Int?

    var isLeaf: Bool { firstChild == nil }

    /// Whether a timer has cut it off and it went on all the same: whoever came after it did not wait for its end.
    var goesOn: Bool { cut?.isOutlasted ?? false }

    /// Whether a timer has cut it off and nobody waited for its end: it goes on, or had not even started.
    var isLeftBehind: Bool { cut != nil && (goesOn || started == nil) }

    /// Whether its end tells of a timer, and not of one of its parts: one of its own, or of a pattern that it is a part of.
    var tellsOfTimer: Bool { ending.contains(.byTimer) }

    /// Whether a timer ended it: what was waited for all the same ended by itself.
    var isEndedByTimer: Bool { tellsOfTimer && !isWaitedFor }

    /// Whether a timer ended it, and it ended then.
    var endsByTimer: Bool { isEndedByTimer && !goesOn }

    var endPosition: Int { finished == nil ? .max : cut?.position ?? finishPosition }

    var stopPosition: Int { goesOn ? finishPosition : endPosition }
  }
}
