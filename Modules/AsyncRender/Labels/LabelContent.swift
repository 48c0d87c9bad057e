internal import AsyncPatterns

/// What a label shows: its text and its colours.
struct LabelContent: Sendable {
  var layout: TextLayout
  var color: Color
  var background: Color

  /// Draws it, unless it is called off: then at most one more line is drawn.
  ///
  /// - Parameters:
  ///   - size: what the background fills, and how wide lines are if the layout does not say it.
  ///   - lineCost: how long a line takes, on a virtual clock.
  func draw(
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
