extension Canvas {
  /// Draws a text line by line, unless the display is cancelled. After the cancellation, at most one more line is
  /// drawn.
  ///
  /// - Returns: whether the whole text was drawn.
  /// - Complexity: the same as that of the method with a closure.
  @discardableResult
  public func draw(
    _ layout: TextLayout, at point: Point, color: Color, unless isCancelled: DisplayCancellation
  ) -> Bool {
    draw(layout, at: point, color: color) { isCancelled() }
  }
}
