internal import CCairo

extension Canvas {
  /// Draws a text line by line, and asks before every one whether it is called off.
  ///
  /// Lines that the clip hides are not drawn, and what is far below it is not even laid out.
  ///
  /// - Parameters:
  ///   - point: its top left corner.
  ///   - isCancelled: asked on this thread, before each paragraph is laid out and before each line is drawn.
  /// - Returns: whether all of it has been drawn; false if it was called off, or cannot be drawn there.
  /// - Complexity: O(text that is not below the clip). The first text on a thread takes some milliseconds more.
  @discardableResult
  public func draw(
    _ layout: TextLayout, at point: Point, color: Color, unless isCancelled: () -> Bool = { false }
  ) -> Bool {
    draw(layout, at: point, color: color, unless: isCancelled) {}
  }

  /// - Parameter lineDrawn: called after each line that has been drawn.
  func draw(
    _ layout: TextLayout, at point: Point, color: Color, unless isCancelled: () -> Bool,
    _ lineDrawn: () -> Void
  ) -> Bool {
    guard point.x.isFinite, point.y.isFinite else {
      fail("a text cannot be drawn at (\(point.x), \(point.y))")
      return false
    }
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    cairo_clip_extents(context, &left, &top, &right, &bottom)
    defer { cairo_new_path(context) }
    return layout.forEachLine(unless: isCancelled) { line, frame, _ in
      // Letters may reach out of their line: with many accents, quite far.
      let reach = 4 * frame.size.height
      let y = point.y + frame.origin.y
      let x = point.x + frame.origin.x
      guard y - reach <= bottom else { return layout.lineSpacing < 0 ? .goOn : .enough }
      guard y + frame.size.height + reach >= top, x - reach <= right,
        x + frame.size.width + reach >= left
      else { return .goOn }
      set(color)
      cairo_move_to(context, x, point.y + line.baseline)
      pango_cairo_show_layout_line(context, line.pango)
      lineDrawn()
      return .goOn
    }
  }
}
