internal import CCairo

/// The rule that decides which points are inside a path that crosses itself.
public enum FillRule: Sendable, Hashable {
  /// Points around which the path winds: its clockwise turns minus its counterclockwise turns are not zero.
  case winding
  /// Points from which a ray crosses the path an odd number of times.
  case evenOdd
}

/// The shape of the ends of a stroked line.
public enum LineCap: Sendable, Hashable { case butt, round, square }

/// How two stroked lines are joined. A miter longer than ten times the width becomes a bevel.
public enum LineJoin: Sendable, Hashable { case miter, round, bevel }

extension Canvas {
  /// Fills the inside of a path.
  ///
  /// - Complexity: O(elements + pixels).
  public func fill(_ path: Path, with paint: Paint, rule: FillRule = .winding) {
    guard set(paint), trace(path) else { return }
    cairo_set_fill_rule(context, rule.cairo)
    computeGradient()
    cairo_fill(context)
  }

  /// Fills a rectangle.
  public func fill(_ rect: Rect, with paint: Paint) { fill(Path(rect), with: paint) }

  /// Fills the whole area inside the clip.
  public func fill(with paint: Paint) {
    guard set(paint) else { return }
    cairo_paint(context)
  }

  /// Strokes a path.
  ///
  /// - Parameters:
  ///   - width: the line width in units, half of it on either side. Nothing is drawn for 0 or less.
  ///   - dash: lengths that are alternately drawn and left out, in units, repeated along the path. Empty for a solid
  ///     line.
  ///   - dashOffset: where in the dashes the line starts, in units.
  /// - Complexity: O(elements + dashes + pixels).
  public func stroke(
    _ path: Path, with paint: Paint, width: Double = 1, cap: LineCap = .butt,
    join: LineJoin = .miter,
    dash: [Double] = [], dashOffset: Double = 0
  ) {
    guard width.isFinite else { return fail("a line cannot be \(width) wide: use a finite width") }
    guard isDash(dash), dashOffset.isFinite else {
      return fail(
        "a line cannot have the dashes \(dash) from \(dashOffset): use lengths of 0 or more, not all 0"
      )
    }
    guard width > 0, set(paint), trace(path) else { return }
    // Cairo uses 32-bit coordinates in 256ths of a pixel.
    cairo_set_line_width(context, min(width, Canvas.farthest / max(stretch, 1e-9)))
    cairo_set_line_cap(context, cap.cairo)
    cairo_set_line_join(context, join.cairo)
    cairo_set_dash(context, dash, Int32(dash.count), dashOffset)
    cairo_stroke(context)
  }

  private func isDash(_ dash: [Double]) -> Bool {
    dash.isEmpty
      || dash.count <= 1_000 && dash.allSatisfy { $0.isFinite && $0 >= 0 }
        && dash.contains { $0 > 0 }
  }

  // MARK: For all outlines

  /// The largest distance of a pixel from the origin. Cairo uses 32-bit coordinates in 256ths of a
  /// pixel. Three quarters of that range are left for the pixels that Cairo adds around a shape.
  static let farthest = Double(1 << 21)

  /// The largest number of pixels per unit under the current matrix.
  private var stretch: Double {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    return matrix.stretch
  }

  /// Sets a path as Cairo's current path. Returns false if the path is invalid.
  func trace(_ path: Path) -> Bool {
    guard path.reach.isFinite else {
      fail("a path cannot have a point that is not a finite number: \(path.firstStray)")
      return false
    }
    cairo_new_path(context)
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    let offset = max(abs(matrix.x0), abs(matrix.y0))
    guard path.reach * matrix.stretch + offset < Canvas.farthest else {
      traceNear(path, matrix)
      return true
    }
    for element in path.elements {
      switch element {
      case .move(let to): cairo_move_to(context, to.x, to.y)
      case .line(let to): cairo_line_to(context, to.x, to.y)
      case .curve(let to, let control1, let control2):
        cairo_curve_to(context, control1.x, control1.y, control2.x, control2.y, to.x, to.y)
      case .close: cairo_close_path(context)
      }
    }
    return true
  }

  /// Traces a path that leaves Cairo's coordinate range, with its far points moved to the edge of the range.
  private func traceNear(_ path: Path, _ matrix: cairo_matrix_t) {
    var matrix = matrix
    var identity = cairo_matrix_t()
    cairo_matrix_init_identity(&identity)
    cairo_set_matrix(context, &identity)
    func near(_ point: Point) -> Point {
      func near(_ pixel: Double) -> Double {
        // An overflow can produce an infinity, and two infinities can produce a NaN.
        pixel.isNaN ? 0 : min(max(pixel, -Canvas.farthest), Canvas.farthest)
      }
      return Point(
        x: near(matrix.xx * point.x + matrix.xy * point.y + matrix.x0),
        y: near(matrix.yx * point.x + matrix.yy * point.y + matrix.y0))
    }
    for element in path.elements {
      switch element {
      case .move(let to): cairo_move_to(context, near(to).x, near(to).y)
      case .line(let to): cairo_line_to(context, near(to).x, near(to).y)
      case .curve(let to, let control1, let control2):
        let (to, control1, control2) = (near(to), near(control1), near(control2))
        cairo_curve_to(context, control1.x, control1.y, control2.x, control2.y, to.x, to.y)
      case .close: cairo_close_path(context)
      }
    }
    cairo_set_matrix(context, &matrix)
  }
}

extension Path {
  /// The first point that has a coordinate that is not finite, for the error message.
  fileprivate var firstStray: String {
    for element in elements {
      let points: [Point] =
        switch element {
        case .move(let to), .line(let to): [to]
        case .curve(let to, let control1, let control2): [control1, control2, to]
        case .close: []
        }
      if let stray = points.first(where: { !$0.x.isFinite || !$0.y.isFinite }) {
        return "(\(stray.x), \(stray.y))"
      }
    }
    return "one of them"
  }
}

extension cairo_matrix_t {
  /// The largest factor by which the matrix enlarges a coordinate.
  fileprivate var stretch: Double { max(abs(xx) + abs(xy), abs(yx) + abs(yy)) }
}

extension FillRule {
  var cairo: cairo_fill_rule_t {
    self == .winding ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD
  }
}

extension LineCap {
  fileprivate var cairo: cairo_line_cap_t {
    switch self {
    case .butt: CAIRO_LINE_CAP_BUTT
    case .round: CAIRO_LINE_CAP_ROUND
    case .square: CAIRO_LINE_CAP_SQUARE
    }
  }
}

extension LineJoin {
  fileprivate var cairo: cairo_line_join_t {
    switch self {
    case .miter: CAIRO_LINE_JOIN_MITER
    case .round: CAIRO_LINE_JOIN_ROUND
    case .bevel: CAIRO_LINE_JOIN_BEVEL
    }
  }
}
