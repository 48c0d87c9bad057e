internal import CCairo

/// How the pixels of a picture are resampled for the pixels of a canvas.
public enum PictureFilter: Sendable, Hashable {
  /// The nearest pixel.
  case nearest
  /// Interpolates between the nearest four pixels; averages many pixels if the picture is drawn much smaller.
  case good
  /// The best quality, and slow.
  case best
}

extension Canvas {
  /// Draws a whole picture into a rectangle of any size. Nothing is drawn into an empty one.
  ///
  /// - Parameters:
  ///   - opacity: from 0, which is invisible, to 1.
  ///   - filter: how the picture is resampled.
  /// - Complexity: O(pixels of the rectangle).
  public func draw(
    _ picture: Picture, in rect: Rect, opacity: Double = 1, filter: PictureFilter = .good
  ) {
    guard Path(rect).reach.isFinite else {
      return fail(
        "a picture cannot be drawn at (\(rect.origin.x), \(rect.origin.y)) in \(rect.size): use finite numbers"
      )
    }
    guard rect.size.width > 0, rect.size.height > 0, opacity > 0 else { return }
    // Cairo computes the transform from the canvas to the picture, and reports an error if it is too steep.
    let (across, down) = (
      rect.size.width / Double(picture.width), rect.size.height / Double(picture.height)
    )
    guard across > 1e-6, down > 1e-6, across < 1e6, down < 1e6 else { return }
    cairo_save(context)
    defer { cairo_restore(context) }
    clip(to: rect)
    cairo_translate(context, rect.origin.x, rect.origin.y)
    cairo_scale(context, across, down)
    picture.withSurface { surface in
      cairo_set_source_surface(context, surface, 0, 0)
      guard let pattern = source else { return }
      cairo_pattern_set_filter(pattern, filter.cairo)
      // Extends the edge pixels outwards, because otherwise the edge would be half transparent.
      cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
      cairo_paint_with_alpha(context, min(opacity, 1))
    }
  }

  /// Draws a picture at its own size in units.
  public func draw(
    _ picture: Picture, at point: Point, opacity: Double = 1, filter: PictureFilter = .good
  ) {
    draw(picture, in: Rect(origin: point, size: picture.size), opacity: opacity, filter: filter)
  }
}

extension PictureFilter {
  fileprivate var cairo: cairo_filter_t {
    switch self {
    case .nearest: CAIRO_FILTER_NEAREST
    case .good: CAIRO_FILTER_GOOD
    case .best: CAIRO_FILTER_BEST
    }
  }
}
