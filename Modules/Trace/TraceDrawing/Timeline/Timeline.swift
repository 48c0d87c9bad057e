/// A run as a picture in a terminal: one row a step, time from left to right.
///
/// ```
/// serial · success · makespan 30ms · work 0ns · blocked 0ns · concurrency 1 · threads 1
/// critical path: fetch → store
///           0         10ms      20ms
/// * fetch│████████████████████          │ 20ms
/// * store│░░░░░░░░░░░░░░░░░░░░██████████│ 10ms
/// ░ wait  █ run  * critical path
/// ```
///
/// Where steps overlap, a row below the axis shows how many are in flight at once, up to `max`, for which its
/// highest character stands. Below the steps each counter has a plot over the same time, between its lowest and
/// its highest value.
public struct Timeline: Sendable {
  public let record: RunRecord
  /// Whether the run still goes on, so that what has not finished is no fault.
  public let isUnderWay: Bool
  /// Whether somebody asked for these very steps: those that are part of no other are not folded.
  public let isOpened: Bool

  /// - Parameters:
  ///   - isUnderWay: whether the run still goes on: the record is what has happened so far.
  ///   - isOpened: whether the steps that are part of no other have rows of their own, as far as there is room.
  public init(_ record: RunRecord, isUnderWay: Bool = false, isOpened: Bool = false) {
    self.record = record
    self.isUnderWay = isUnderWay
    self.isOpened = isOpened
  }

  /// Which characters may be used.
  public enum Style: Sendable, Hashable { case unicode, ascii }

  /// Draws the run.
  ///
  /// - Parameters:
  ///   - width: in columns; no line is wider.
  ///   - height: how many rows of steps there may be; where there are more steps, those that differ by a
  ///     number alone are folded into one row, and of what is still too much the rows of the critical path
  ///     stay first, and the rest is counted. Counters may take
  ///     half as many rows more: where there are more of them, their plots are lower, then those of one
  ///     name and those that differ by a number alone share a plot, and what is still too much is counted.
  ///   - color: whether to use the terminal's colours.
  /// - Returns: lines, each with its newline.
  /// - Complexity: O(n log n) in the number of steps, O(n) in that of the counters' points.
  public func render(
    width: Int = 80, height: Int = 40, style: Style = .unicode, color: Bool = false
  ) -> String {
    let painter = TimelinePainter(
      record: record, isUnderWay: isUnderWay, width: max(width, 1), style: style, color: color)
    let rows = TimelineRows(
      record, height: max(height, 1), isUnderWay: isUnderWay, isOpened: isOpened)
    return painter.lines(rows, CounterPlots(record, room: max(height / 2, 2)))
      .map { $0 + "\n" }.joined()
  }
}
