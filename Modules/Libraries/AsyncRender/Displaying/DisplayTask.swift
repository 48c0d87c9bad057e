/// What a layer does to display itself, once: made on the main lane when its turn comes, so that it takes along
/// what it draws.
///
/// ```swift
/// RenderLayer(size: size) { _ in
///   let title = song.title  // on the main lane
///   return DisplayTask { canvas, size, isCancelled in
///     draw(title, on: canvas)  // on a drawing lane
///   } willDisplay: { _ in
///     spinner.underWay += 1  // it turns while there are any
///   } didDisplay: { layer, finished in
///     spinner.underWay -= 1  // on the main lane again
///   }
/// }
/// ```
///
/// For each `willDisplay` there is exactly one `didDisplay`, however the display ends. Displays of one layer overlap:
/// the next one is announced as soon as it begins, while one that was called off may still be drawn, and ends when it
/// next looks. So an end may come after the next `willDisplay`, and ends in another order than beginnings: count them,
/// as here.
public struct DisplayTask: Sendable {
  /// Draws on a canvas of the layer's size, in units; what `isCancelled` says it should return soon.
  public typealias Display =
    @Sendable (_ canvas: Canvas, _ size: Size, _ isCancelled: DisplayCancellation) -> Void

  /// Draws, on a drawing lane, or on the main one if the layer displays synchronously. Without it the layer
  /// shows nothing.
  public var display: Display?

  /// Called on the main lane before the display. What it asks for with `setNeedsDisplay` is displayed in the
  /// next turn.
  public var willDisplay: (@Sendable (_ layer: RenderLayer) -> Void)?

  /// Called on the main lane after the display: `finished` says whether the layer shows what was drawn. The
  /// layer is nil if it has gone; then nothing was finished. It may come after the `willDisplay` of the next display.
  public var didDisplay: (@Sendable (_ layer: RenderLayer?, _ finished: Bool) -> Void)?

  public init(
    display: Display?, willDisplay: (@Sendable (_ layer: RenderLayer) -> Void)? = nil,
    didDisplay: (@Sendable (_ layer: RenderLayer?, _ finished: Bool) -> Void)? = nil
  ) {
    self.display = display
    self.willDisplay = willDisplay
    self.didDisplay = didDisplay
  }
}
