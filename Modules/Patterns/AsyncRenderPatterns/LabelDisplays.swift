import AsyncPatterns
import AsyncRender

/// What a course knows of its displays: what was asked for, what is under way, and what became of the rest.
struct LabelDisplays: Sendable {
  /// How many drawings are at work.
  var drawing = 0
  /// The last change of the text that has begun, and the last one that has been asked to be shown.
  private(set) var change = 0
  var settled = 0
  private(set) var drawn = 0
  private(set) var cancelled = 0
  /// How long was drawn what was not shown.
  private(set) var wasted = Duration.zero
  /// How many have begun and not ended.
  private var open = 0
  private var asked = 0
  private var begun = 0

  mutating func beginChange() -> Int {
    change += 1
    return change
  }

  /// - Returns: how often that has been.
  mutating func ask() -> Int {
    asked += 1
    return asked
  }

  /// - Returns: the number of the one that begins.
  mutating func next() -> Int {
    begun += 1
    return begun
  }

  mutating func begin() { open += 1 }

  mutating func end(_ isFinished: Bool, after duration: Duration) {
    open -= 1
    if isFinished {
      drawn += 1
    } else {
      cancelled += 1
      wasted += duration
    }
  }

  /// Whether all that have begun have ended.
  var areOver: Bool { drawing == 0 && open == 0 }

  /// The same after a failure.
  ///
  /// - Parameter allEnds: whether each that was called off is told to have ended.
  func areOver(telling allEnds: Bool) -> Bool { allEnds ? areOver : drawing == 0 }
}
