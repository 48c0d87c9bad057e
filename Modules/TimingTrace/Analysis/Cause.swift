internal import AsyncPatterns

/// Why a node could go on when it did: whose end that was.
struct Cause {
  let kind: HandOver.Kind
  /// What of the node had to wait.
  var before = HandOver.Moment.start
  /// The leaf that ended last of what was waited for.
  let leaf: Int
  /// What was waited for: that leaf, or a pattern that holds it.
  let source: Int
  /// What waited: the node itself, or a pattern that it is a part of.
  let waiter: Int
  /// Whether nobody waited for the leaf to end, but only until a timer cut it off.
  var isCut = false
}

/// When a node was asked for.
enum Request {
  /// With the end of that.
  case after(Cause)
  /// When its pattern started: nothing lies between.
  case withPattern
}

extension SpanTable {
  /// When the leaf ended that a cause tells of, or was let go of.
  func end(of cause: Cause) -> Int64? {
    cause.isCut ? nodes[cause.leaf].cut?.time : nodes[cause.leaf].finished
  }

  /// When that was for all that was waited for.
  func sourceEnd(of cause: Cause) -> Int64? {
    (cause.isCut ? nodes[cause.source].cut?.time : nil) ?? nodes[cause.source].finished
  }

  func endPosition(of cause: Cause) -> Int {
    cause.isCut ? nodes[cause.leaf].endPosition : nodes[cause.leaf].stopPosition
  }
}
