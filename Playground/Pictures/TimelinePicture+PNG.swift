internal import CCairo
package import TimingTrace

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension TimelinePicture {
  /// The picture as a PNG file, on a light background.
  ///
  /// - Parameter scale: the number of pixels per unit of the picture; with two, it is sharp on a slide.
  /// - Throws: `PictureError` if the file cannot be made, for example because there is not enough memory.
  /// - Complexity: O(pixels).
  package func png(scale: Double = 2) throws(PictureError) -> Data {
    let surface = cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, Int32((width * scale).rounded()), Int32((height * scale).rounded()))
    defer { cairo_surface_destroy(surface) }
    guard let context = cairo_create(surface) else {
      throw PictureError("there is not enough memory to draw it")
    }
    defer { cairo_destroy(context) }
    cairo_scale(context, scale, scale)
    let painter = CairoPainter(context: context)
    for mark in marks { painter.paint(mark) }
    try check(cairo_status(context))
    cairo_surface_flush(surface)
    var data = Data()
    let status = withUnsafeMutablePointer(to: &data) { data in
      cairo_surface_write_to_png_stream(
        surface,
        { closure, bytes, count in
          guard let bytes else { return CAIRO_STATUS_WRITE_ERROR }
          closure!.assumingMemoryBound(to: Data.self).pointee.append(bytes, count: Int(count))
          return CAIRO_STATUS_SUCCESS
        }, data)
    }
    try check(status)
    return data
  }

  private func check(_ status: cairo_status_t) throws(PictureError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw PictureError("Cairo reports “\(String(cString: cairo_status_to_string(status)))”")
  }
}

/// Draws the marks of a picture with Cairo.
private struct CairoPainter {
  let context: OpaquePointer

  func paint(_ mark: TimelinePicture.Mark) {
    switch mark {
    case .rectangle(let rectangle): paint(rectangle)
    case .line(let line):
      trace(line.points)
      choose(line.ink)
      cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
      cairo_set_line_width(context, line.thickness)
      if let dash = line.dash { cairo_set_dash(context, [dash], 1, 0) }
      cairo_stroke(context)
      cairo_set_dash(context, nil, 0, 0)
    case .area(let corners, let ink):
      trace(corners)
      cairo_close_path(context)
      choose(ink)
      cairo_fill(context)
    case .text(let text): paint(text)
    }
  }

  private func choose(_ ink: PictureInk) {
    let color = ink.color(isDark: false)
    func part(_ shift: UInt32) -> Double { Double(color >> shift & 0xFF) / 255 }
    cairo_set_source_rgb(context, part(16), part(8), part(0))
  }

  private func trace(_ points: [TimelinePicture.Point]) {
    cairo_new_path(context)
    for point in points { cairo_line_to(context, point.x, point.y) }
  }

  // MARK: Rectangles

  private func paint(_ rectangle: TimelinePicture.Rectangle) {
    switch rectangle.fill {
    case .solid:
      outline(rectangle)
      choose(rectangle.ink)
      cairo_fill(context)
    case .framed(let thickness):
      outline(rectangle.inset(by: thickness / 2))
      choose(.ground)
      cairo_fill_preserve(context)
      choose(rectangle.ink)
      cairo_set_line_width(context, thickness)
      cairo_stroke(context)
    case .hatched(let distance, let thickness):
      outline(rectangle)
      choose(rectangle.ink)
      cairo_save(context)
      cairo_clip(context)
      hatch(rectangle, distance: distance, thickness: thickness)
      cairo_restore(context)
    }
  }

  private func outline(_ rectangle: TimelinePicture.Rectangle) {
    let (x, y) = (rectangle.x, rectangle.y)
    let (width, height) = (rectangle.width, rectangle.height)
    cairo_new_path(context)
    guard rectangle.radius > 0 else { return cairo_rectangle(context, x, y, width, height) }
    let radius = min(rectangle.radius, width / 2, height / 2)
    let quarter = Double.pi / 2
    let centers = [
      (x + width - radius, y + radius), (x + width - radius, y + height - radius),
      (x + radius, y + height - radius), (x + radius, y + radius),
    ]
    for (index, center) in centers.enumerated() {
      let start = Double(index - 1) * quarter
      cairo_arc(context, center.0, center.1, radius, start, start + quarter)
    }
    cairo_close_path(context)
  }

  /// Draws slanted lines on a grid for the whole picture, so that the lines of adjacent rectangles meet.
  private func hatch(
    _ rectangle: TimelinePicture.Rectangle, distance: Double, thickness: Double
  ) {
    // Lines at 45° are farther apart horizontally than at right angles, by the factor √2.
    let step = distance * 2.0.squareRoot()
    let bottom = rectangle.y + rectangle.height
    var crossing = ((rectangle.x + rectangle.y) / step).rounded(.down) * step
    cairo_new_path(context)
    while crossing < rectangle.x + rectangle.width + bottom + step {
      cairo_move_to(context, crossing - rectangle.y, rectangle.y)
      cairo_line_to(context, crossing - bottom, bottom)
      crossing += step
    }
    cairo_set_line_width(context, thickness)
    cairo_stroke(context)
  }

  // MARK: Text

  private func paint(_ text: TimelinePicture.Text) {
    guard let layout = pango_cairo_create_layout(context) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    let font = pango_font_description_new()
    defer { pango_font_description_free(font) }
    pango_font_description_set_family(font, "sans-serif")
    pango_font_description_set_absolute_size(font, text.size * Double(PANGO_SCALE))
    pango_font_description_set_weight(font, text.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
    pango_layout_set_font_description(layout, font)
    pango_layout_set_single_paragraph_mode(layout, 1)
    pango_layout_set_text(layout, text.text, Int32(text.text.utf8.count))
    var width: Int32 = 0
    pango_layout_get_size(layout, &width, nil)
    let offset =
      switch text.anchor {
      case .start: 0.0
      case .middle: Double(width) / Double(PANGO_SCALE) / 2
      case .end: Double(width) / Double(PANGO_SCALE)
      }
    let baseline = Double(pango_layout_get_baseline(layout)) / Double(PANGO_SCALE)
    cairo_new_path(context)
    cairo_move_to(context, text.x - offset, text.y - baseline)
    if text.hasHalo {
      pango_cairo_layout_path(context, layout)
      choose(.ground)
      cairo_set_line_width(context, 4)
      cairo_stroke(context)
      cairo_move_to(context, text.x - offset, text.y - baseline)
    }
    choose(text.ink)
    pango_cairo_show_layout(context, layout)
  }
}
