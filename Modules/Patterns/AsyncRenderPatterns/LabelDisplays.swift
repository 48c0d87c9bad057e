import AsyncPatterns
import AsyncRender

/// The displays of a course: how many were requested, how many are in progress, and how many have ended.
struct LabelDisplays: Sendable {
  /// The number of drawings in progress.
  var drawing = 0
  /// The number of the last text change that has started. `settled` is the last change for which a display was
  /// requested.
  private(set) var change = 0
  var settled = 0
  private(set) var drawn = 0
  private(set) var cancelled = 0
  /// The drawing time of displays that were not shown.
  private(set) var wasted = Duration.zero
  /// The number of displays that started and have not ended.
  private var open = 0
  private var asked = 0
  private var begun = 0

  mutating func beginChange() -> Int {
    change += 1
    return change
  }

  /// - Returns: the number of requests so far.
  mutating func ask() -> Int {
    asked += 1
    return asked
  }

  /// - Returns: the number of the display that starts.
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

  /// Whether all displays that started have ended.
  var haveEnded: Bool { drawing == 0 && open == 0 }

  /// Whether all displays have ended, after a failure.
  ///
  /// - Parameter allEnds: whether the layer also reports the end of each cancelled display.
  func haveEnded(reportingAll allEnds: Bool) -> Bool { allEnds ? haveEnded : drawing == 0 }
}
