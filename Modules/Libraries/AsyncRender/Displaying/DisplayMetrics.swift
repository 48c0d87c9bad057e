/// Counts of requests and displays, for one layer or for all layers of a renderer.
///
/// `displays` is the sum of `drawn`, `cleared`, `failed`, the three kinds of cancelled displays, and those in progress.
public struct DisplayMetrics: Sendable, Hashable {
  /// The number of calls that requested a display: of `setNeedsDisplay`, and of `displayImmediately` during a display.
  public var requested = 0
  /// The number of these calls that found a display already requested and not yet started.
  public var coalesced = 0
  /// The number of displays that started: as many as there were calls of `willDisplay`.
  public var displays = 0
  /// The number of displays that were drawn and shown.
  public var drawn = 0
  /// The number of displays that had nothing to draw: no display block, or no size.
  public var cleared = 0
  /// The number of displays that failed because there was no canvas to draw on.
  public var failed = 0
  /// The number of displays cancelled before they were drawn.
  public var cancelledBeforeDrawing = 0
  /// The number of displays cancelled while they were drawn.
  public var cancelledWhileDrawing = 0
  /// The number of displays cancelled after they were drawn and before they were shown.
  public var cancelledAfterDrawing = 0
  /// The total drawing time, on the runtime's clock.
  public var drawingTime = Duration.zero
  /// The part of the drawing time that went into pictures which were not shown.
  public var wastedTime = Duration.zero
  /// The time of the longest drawing.
  public var longestDrawing = Duration.zero

  /// Metrics that are all zero.
  public init() {}

  /// The number of cancelled displays, in any phase.
  public var cancelled: Int {
    cancelledBeforeDrawing + cancelledWhileDrawing + cancelledAfterDrawing
  }

  /// The number of displays that started and have not ended.
  public var underWay: Int { displays - drawn - cleared - failed - cancelled }

  /// Adds other metrics. The longest drawing becomes the longer of the two.
  public static func += (left: inout DisplayMetrics, right: DisplayMetrics) {
    left.requested += right.requested
    left.coalesced += right.coalesced
    left.displays += right.displays
    left.drawn += right.drawn
    left.cleared += right.cleared
    left.failed += right.failed
    left.cancelledBeforeDrawing += right.cancelledBeforeDrawing
    left.cancelledWhileDrawing += right.cancelledWhileDrawing
    left.cancelledAfterDrawing += right.cancelledAfterDrawing
    left.drawingTime += right.drawingTime
    left.wastedTime += right.wastedTime
    left.longestDrawing = max(left.longestDrawing, right.longestDrawing)
  }
}
