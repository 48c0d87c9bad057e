/// The work of one display of a layer. It is created on the main lane when the display starts, so that it can capture
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
/// Each `willDisplay` is followed by exactly one `didDisplay`, however the display ends. Displays
/// of one layer can overlap. The next display is announced as soon as it starts. A cancelled
/// display may still be drawing then, and ends when it next checks for cancellation. So a
/// `didDisplay` may come after the next `willDisplay`, and displays may end in a different order
/// than they started. Count them, as in the example.
public struct DisplayTask: Sendable {
  /// Draws on a canvas of the layer's size, in units. It should return soon once `isCancelled` returns true.
  public typealias Display =
    @Sendable (_ canvas: Canvas, _ size: Size, _ isCancelled: DisplayCancellation) -> Void

  /// Draws on a drawing lane, or on the main lane if the layer displays synchronously. Without it, the layer shows
  /// nothing.
  public var display: Display?

  /// Called on the main lane before the display. If it calls `setNeedsDisplay`, that display comes in the next turn.
  public var willDisplay: (@Sendable (_ layer: RenderLayer) -> Void)?

  /// Called on the main lane after the display. `finished` is true if the layer shows what was drawn. If the layer was
  /// released, `layer` is nil and `finished` is false. The call may come after the `willDisplay` of the next display.
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
