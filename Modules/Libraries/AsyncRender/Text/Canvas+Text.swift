internal import CCairo

extension Canvas {
  /// Draws a text line by line, and checks for cancellation before each line.
  ///
  /// Lines outside the clip are not drawn, and text far below the clip is not even laid out.
  ///
  /// - Parameters:
  ///   - point: the top left corner of the text.
  ///   - isCancelled: called on this thread, before each paragraph is laid out and before each line is drawn.
  /// - Returns: whether the whole text was drawn; false if it was cancelled or cannot be drawn there.
  /// - Complexity: O(text that is not below the clip). The first text on a thread takes a few milliseconds longer.
  @discardableResult
  public func draw(
    _ layout: TextLayout, at point: Point, color: Color, unless isCancelled: () -> Bool = { false }
  ) -> Bool {
    draw(layout, at: point, color: color, unless: isCancelled) {}
  }

  /// - Parameter lineDrawn: called after each line that was drawn.
  func draw(
    _ layout: TextLayout, at point: Point, color: Color, unless isCancelled: () -> Bool,
    _ lineDrawn: () -> Void
  ) -> Bool {
    guard point.x.isFinite, point.y.isFinite else {
      fail("a text cannot be drawn at (\(point.x), \(point.y)): use finite numbers")
      return false
    }
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    cairo_clip_extents(context, &left, &top, &right, &bottom)
    defer { cairo_new_path(context) }
    return layout.forEachLine(unless: isCancelled) { line, frame, _ in
      // Letters can extend beyond their line; with many accents, quite far.
      let reach = 4 * frame.size.height
      let y = point.y + frame.origin.y
      let x = point.x + frame.origin.x
      guard y - reach <= bottom else { return layout.lineSpacing < 0 ? .more : .enough }
      guard y + frame.size.height + reach >= top, x - reach <= right,
        x + frame.size.width + reach >= left
      else { return .more }
      set(color)
      cairo_move_to(context, x, point.y + line.baseline)
      pango_cairo_show_layout_line(context, line.pango)
      lineDrawn()
      return .more
    }
  }
}
