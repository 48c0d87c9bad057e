/// A run as a picture in a terminal: one row per step, time from left to right.
///
/// ```
/// serial · success · makespan 30ms · work 0ns · blocked 0ns · concurrency 1 · threads 1
/// critical path: fetch → store
///           0         10ms      20ms
/// * fetch│████████████████████          │ 20ms
/// * store│░░░░░░░ after fetch →██████████│ 10ms
/// ░ wait  █ run  * critical path
/// ```
///
/// A step of the critical path that had to wait shows the reason before its start: `after fetch →`. Delays, timeouts
/// and cancellations are drawn where they happen. A number in a circle marks the place of a finding: the first of
/// `record.lints` is ❶.
///
/// If steps overlap, a row below the axis shows how many are in flight at the same time. Its highest character
/// represents the maximum, which is shown beside it. Below the steps, each counter has a plot over the same time,
/// between its lowest and its highest value.
public struct Timeline: Sendable {
  public let record: RunRecord
  /// Whether the run is still in progress, so that unfinished steps are not a fault.
  public let isUnderWay: Bool
  /// Whether the user selected these steps: steps without a parent are not folded.
  public let isOpened: Bool
  /// How a reader can see the steps that share a row or have none. It is drawn below the steps if there are any.
  public let hint: String?

  /// - Parameters:
  ///   - isUnderWay: whether the run is still in progress: the record contains what has happened so far.
  ///   - isOpened: whether steps without a parent have separate rows, as far as there is room.
  ///   - hint: how a reader can see the steps that share a row or have none.
  public init(
    _ record: RunRecord, isUnderWay: Bool = false, isOpened: Bool = false, hint: String? = nil
  ) {
    self.record = record
    self.isUnderWay = isUnderWay
    self.isOpened = isOpened
    self.hint = hint
  }

  /// The characters that may be used.
  public enum Style: Sendable, Hashable { case unicode, ascii }

  /// Draws the run.
  ///
  /// - Parameters:
  ///   - width: in columns; no line is wider.
  ///   - height: the maximum number of rows for steps. If there are more steps, those that differ only by a number are
  ///     folded into one row. If there are still too many, rows of the critical path are kept first, and the rest is
  ///     counted. Counters may take half as many additional rows. If they need more, their plots become lower. Then
  ///     counters with one name, or with names that differ only by a number, share a plot. Counters that still do not
  ///     fit are counted.
  ///   - color: whether to use the terminal's colours.
  /// - Returns: lines, each with its newline.
  /// - Complexity: O(n log n) in the number of steps, O(n) in the number of the counters' points.
  public func render(
    width: Int = 80, height: Int = 40, style: Style = .unicode, color: Bool = false
  ) -> String {
    let painter = TimelinePainter(
      record: record, isUnderWay: isUnderWay, width: max(width, 1), style: style, color: color,
      hint: hint)
    let rows = TimelineRows(
      record, height: max(height, 1), isUnderWay: isUnderWay, isOpened: isOpened,
      findings: isUnderWay ? 0 : Self.mostFindings)
    return painter.lines(rows, CounterPlots(record, room: max(height / 2, 2)))
      .map { $0 + "\n" }.joined()
  }
}
