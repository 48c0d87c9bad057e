internal import AsyncRuntime

/// The contents of a label: its text and its colours.
public struct LabelContent: Sendable {
  public var layout: TextLayout
  public var color: Color
  /// The colour behind the letters.
  public var background: Color

  public init(layout: TextLayout, color: Color, background: Color = .clear) {
    self.layout = layout
    self.color = color
    self.background = background
  }

  /// Draws the contents. After a cancellation, at most one more line is drawn.
  ///
  /// - Parameters:
  ///   - size: the area that the background fills. Its width is also the line width if the layout has none.
  ///   - lineCost: the time that a line takes on a virtual clock.
  ///   - isCancelled: called on this thread, before each line.
  /// - Complexity: the same as that of `Canvas.draw` for a text.
  public func draw(
    on canvas: Canvas, _ size: Size, lineCost: Duration, runtime: any Runtime,
    unless isCancelled: () -> Bool
  ) {
    if isCancelled() { return }
    if background.alpha > 0 {
      canvas.fill(Path(Rect(origin: .zero, size: size)), with: .color(background))
    }
    var layout = layout
    if layout.width == nil { layout.width = size.width }
    let cost = runtime.clockKind == .virtual ? lineCost : .zero
    _ = canvas.draw(layout, at: .zero, color: color, unless: isCancelled) {
      if cost > .zero { runtime.work(for: cost) }
    }
  }
}
