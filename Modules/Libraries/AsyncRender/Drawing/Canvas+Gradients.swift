internal import CCairo

/// Faster fills with gradients that change only along the rows or only along the columns of pixels, as most do.
///
/// If the source is not a colour, Cairo fills an area piece by piece: three pieces for each row with a smoothed edge.
/// It sets the gradient up again for each piece. So the code here computes one line of the gradient, and fills an area
/// with copies of it. The pixels of this area become the source.
extension Canvas {
  /// Replaces the gradient that is Cairo's source with computed pixels, for a fill of the current
  /// path. Does nothing if this is not possible or not worthwhile.
  ///
  /// - Complexity: O(pixels of the path's bounds).
  func computeGradient() {
    guard let gradient = source, let direction = direction(of: gradient) else { return }
    let area = boundsOfFill
    guard area.width > 0, area.height > 0,
      let surface = PixelMemory.passing.borrow(
        CAIRO_FORMAT_ARGB32, width: area.width, height: area.height)
    else { return }
    defer { cairo_surface_destroy(surface) }
    guard fill(surface, with: gradient, direction, from: area) else { return }
    withMatrix { _ in
      cairo_set_source_surface(context, surface, Double(area.x), Double(area.y))
    }
  }

  /// Whether a gradient changes from one row of pixels to the next, or along each row.
  private enum Direction { case acrossRows, alongRows }

  /// A rectangle in whole pixels.
  private struct Area {
    let x, y, width, height: Int
  }

  /// The direction in which a gradient changes. Nil if the gradient is not linear, or changes in both directions or in
  /// neither.
  private func direction(of gradient: OpaquePointer) -> Direction? {
    var (x0, y0, x1, y1) = (0.0, 0.0, 0.0, 0.0)
    guard cairo_pattern_get_linear_points(gradient, &x0, &y0, &x1, &y1) == CAIRO_STATUS_SUCCESS
    else { return nil }
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    // The change from one pixel to the next, up to a factor: the inverse transpose of the matrix times the gradient's
    // vector.
    let along = matrix.yy * (x1 - x0) - matrix.yx * (y1 - y0)
    let across = matrix.xx * (y1 - y0) - matrix.xy * (x1 - x0)
    switch (along == 0, across == 0) {
    case (true, false): return .acrossRows
    case (false, true): return .alongRows
    default: return nil
    }
  }

  /// The pixels that a fill of the current path can reach.
  private var boundsOfFill: Area {
    var path = (left: 0.0, top: 0.0, right: 0.0, bottom: 0.0)
    var clip = path
    withMatrix { _ in
      cairo_path_extents(context, &path.left, &path.top, &path.right, &path.bottom)
      cairo_clip_extents(context, &clip.left, &clip.top, &clip.right, &clip.bottom)
    }
    let left = max(path.left, clip.left).rounded(.down)
    let top = max(path.top, clip.top).rounded(.down)
    return Area(
      x: Int(left), y: Int(top),
      width: Int(min(path.right, clip.right).rounded(.up) - left),
      height: Int(min(path.bottom, clip.bottom).rounded(.up) - top))
  }

  /// Computes one line of a gradient, and fills an area with copies of it.
  ///
  /// - Returns: whether it succeeded.
  private func fill(
    _ surface: OpaquePointer, with gradient: OpaquePointer, _ direction: Direction, from area: Area
  ) -> Bool {
    let isColumn = direction == .acrossRows
    let line = cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, isColumn ? 1 : Int32(area.width), isColumn ? Int32(area.height) : 1)
    defer { cairo_surface_destroy(line) }
    let lineContext = cairo_create(line)
    withMatrix { matrix in
      var matrix = matrix
      matrix.x0 -= Double(area.x)
      matrix.y0 -= Double(area.y)
      cairo_set_matrix(lineContext, &matrix)
    }
    cairo_set_operator(lineContext, CAIRO_OPERATOR_SOURCE)
    cairo_set_source(lineContext, gradient)
    cairo_paint(lineContext)
    let status = cairo_status(lineContext)
    cairo_destroy(lineContext)
    cairo_surface_flush(line)
    guard status == CAIRO_STATUS_SUCCESS, let source = cairo_image_surface_get_data(line),
      let target = cairo_image_surface_get_data(surface)
    else { return false }
    let sourceStride = Int(cairo_image_surface_get_stride(line))
    let stride = Int(cairo_image_surface_get_stride(surface))
    for row in 0..<area.height {
      let target = UnsafeMutableRawPointer(target) + row * stride
      if isColumn {
        let color = UnsafeRawPointer(source).load(
          fromByteOffset: row * sourceStride, as: UInt32.self)
        target.initializeMemory(as: UInt32.self, repeating: color, count: area.width)
      } else {
        target.copyMemory(from: source, byteCount: 4 * area.width)
      }
    }
    cairo_surface_mark_dirty(surface)
    return true
  }

  /// Calls `body` with the current matrix. During the call, the context uses coordinates in pixels.
  private func withMatrix(_ body: (cairo_matrix_t) -> Void) {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    cairo_identity_matrix(context)
    body(matrix)
    cairo_set_matrix(context, &matrix)
  }
}
