/// What has become of what was asked of a layer, or of all layers of a renderer.
///
/// `displays` is the sum of `drawn`, `cleared`, `failed`, the three kinds of cancelled ones, and those that are
/// under way.
public struct DisplayFigures: Sendable, Hashable {
  /// How often `setNeedsDisplay` was called.
  public var requested = 0
  /// Of these, how many found a display already asked for that had not begun.
  public var coalesced = 0
  /// How many displays have begun: as many as there were `willDisplay`.
  public var displays = 0
  /// How many were drawn and shown.
  public var drawn = 0
  /// How many had nothing to draw: no display block, or no size.
  public var cleared = 0
  /// How many had nothing to draw on.
  public var failed = 0
  /// How many were cancelled before anything was drawn.
  public var cancelledBeforeDrawing = 0
  /// How many were cancelled while they were drawn.
  public var cancelledWhileDrawing = 0
  /// How many were cancelled when they had been drawn and were not shown yet.
  public var cancelledAfterDrawing = 0
  /// How long has been drawn, on the runtime's clock.
  public var drawingTime = Duration.zero
  /// How long of it for what was not shown.
  public var wastedTime = Duration.zero
  /// How long the longest drawing took.
  public var longestDrawing = Duration.zero

  /// Of nothing.
  public init() {}

  /// How many displays were cancelled, whenever.
  public var cancelled: Int {
    cancelledBeforeDrawing + cancelledWhileDrawing + cancelledAfterDrawing
  }

  /// How many displays have begun and not ended.
  public var underWay: Int { displays - drawn - cleared - failed - cancelled }

  /// Adds what has become of others; the longest drawing is the longer one.
  public static func += (left: inout DisplayFigures, right: DisplayFigures) {
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
