extension Canvas {
  /// Draws a text line by line, unless the display is cancelled: then at most one more line is drawn.
  ///
  /// - Returns: whether all of it has been drawn.
  /// - Complexity: as of the one with a closure.
  @discardableResult
  public func draw(
    _ layout: TextLayout, at point: Point, color: Color, unless isCancelled: DisplayCancellation
  ) -> Bool {
    draw(layout, at: point, color: color) { isCancelled() }
  }
}
