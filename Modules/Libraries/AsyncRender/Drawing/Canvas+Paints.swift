internal import CCairo

extension Canvas {
  /// Sets a paint as Cairo's source. Returns false if the paint is invalid.
  func set(_ paint: Paint) -> Bool {
    switch paint {
    case .color(let color):
      set(color)
    case .linear(let gradient, let from, let to):
      guard [from.x, from.y, to.x, to.y].allSatisfy(\.isFinite) else {
        fail(
          "a gradient cannot go from (\(from.x), \(from.y)) to (\(to.x), \(to.y)): use finite "
            + "numbers")
        return false
      }
      set(gradient, cairo_pattern_create_linear(from.x, from.y, to.x, to.y))
    case .radial(let gradient, let center, let radius):
      guard center.x.isFinite, center.y.isFinite, radius.isFinite, radius >= 0 else {
        fail(
          "a gradient cannot have the centre (\(center.x), \(center.y)) and the radius \(radius): use finite numbers, "
            + "and a radius of 0 or more")
        return false
      }
      set(
        gradient,
        cairo_pattern_create_radial(center.x, center.y, 0, center.x, center.y, radius))
    }
    return true
  }

  /// Sets a colour as Cairo's source.
  func set(_ color: Color) {
    let color = color.clamped
    cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
  }

  /// Cairo's current source; nil after an error in Cairo. In that state, Cairo would return a new pattern that is never
  /// freed.
  var source: OpaquePointer? {
    cairo_status(context) == CAIRO_STATUS_SUCCESS ? cairo_get_source(context) : nil
  }

  /// Sets a gradient as Cairo's source, and takes ownership of the pattern.
  private func set(_ gradient: Gradient, _ pattern: OpaquePointer?) {
    for stop in gradient.stops {
      let color = stop.color.clamped
      let place = stop.place.isNaN ? 0 : min(max(stop.place, 0), 1)
      cairo_pattern_add_color_stop_rgba(
        pattern, place, color.red, color.green, color.blue, color.alpha)
    }
    cairo_pattern_set_extend(pattern, gradient.beyond.cairo)
    cairo_set_source(context, pattern)
    cairo_pattern_destroy(pattern)
  }
}

extension Gradient.Beyond {
  fileprivate var cairo: cairo_extend_t {
    switch self {
    case .same: CAIRO_EXTEND_PAD
    case .repeated: CAIRO_EXTEND_REPEAT
    case .reflected: CAIRO_EXTEND_REFLECT
    case .nothing: CAIRO_EXTEND_NONE
    }
  }
}
