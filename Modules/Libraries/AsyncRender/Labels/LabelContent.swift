internal import AsyncRuntime

/// What a label shows: its text and its colours.
public struct LabelContent: Sendable {
  public var layout: TextLayout
  public var color: Color
  /// What is behind the letters.
  public var background: Color

  public init(layout: TextLayout, color: Color, background: Color = .clear) {
    self.layout = layout
    self.color = color
    self.background = background
  }

  /// Draws it, unless it is called off: then at most one more line is drawn.
  ///
  /// - Parameters:
  ///   - size: what the background fills, and how wide lines are if the layout does not say it.
  ///   - lineCost: how long a line takes, on a virtual clock.
  ///   - isCancelled: asked on this thread, before each line.
  /// - Complexity: as of `Canvas.draw` of a text.
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
