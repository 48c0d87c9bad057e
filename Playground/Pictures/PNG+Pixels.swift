internal import CCairo

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PNG {
  /// Reads the pixels.
  ///
  /// - Throws: `PictureError` if the data is damaged or truncated.
  /// - Complexity: O(width · height).
  public func pixels() throws(PictureError) -> Raster {
    try pixels(width: width, height: height)
  }

  /// Reads the pixels at another size. Each pixel is approximately the mean of the pixels that it covers.
  ///
  /// Cairo scales the picture, because Cairo is as fast in a debug build as in a release build.
  func pixels(width: Int, height: Int) throws(PictureError) -> Raster {
    let surface = try decoded()
    defer { cairo_surface_destroy(surface) }
    let scaled = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
    defer { cairo_surface_destroy(scaled) }
    let context = cairo_create(scaled)
    cairo_scale(
      context, Double(width) / Double(self.width), Double(height) / Double(self.height))
    cairo_set_source_surface(context, surface, 0, 0)
    // After an error, Cairo would create a pattern that is never released.
    if cairo_status(context) == CAIRO_STATUS_SUCCESS {
      let pattern = cairo_get_source(context)
      cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
      // Pixels beyond the edges must not be mixed in.
      cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    }
    cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
    cairo_paint(context)
    let status = cairo_status(context)
    cairo_destroy(context)
    cairo_surface_flush(scaled)
    guard status == CAIRO_STATUS_SUCCESS, let rows = cairo_image_surface_get_data(scaled) else {
      throw Self.error(status)
    }
    let stride = Int(cairo_image_surface_get_stride(scaled))
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      let row = UnsafeRawPointer(rows + y * stride).assumingMemoryBound(to: UInt32.self)
      pixels += UnsafeBufferPointer(start: row, count: width)
    }
    return Raster(width: width, height: height, pixels: pixels)
  }

  /// Decodes the file to an image surface of any format. The caller owns the surface.
  private func decoded() throws(PictureError) -> OpaquePointer {
    let fits = data.withUnsafeBytes { bytes in
      ccairo_png_chunks_fit(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    }
    guard fits else { throw PictureError("it ends too early") }
    let read = data.withUnsafeBytes { bytes in
      var unread = bytes
      return withUnsafeMutablePointer(to: &unread) { unread in
        cairo_image_surface_create_from_png_stream(
          { closure, target, count in
            let unread = closure!.assumingMemoryBound(to: UnsafeRawBufferPointer.self)
            let bytes = unread.pointee
            guard bytes.count >= count else { return CAIRO_STATUS_READ_ERROR }
            UnsafeMutableRawPointer(target!).copyMemory(
              from: bytes.baseAddress!, byteCount: Int(count))
            unread.pointee = UnsafeRawBufferPointer(rebasing: bytes[Int(count)...])
            return CAIRO_STATUS_SUCCESS
          }, unread)
      }
    }
    // Never nil: after an error, Cairo returns a surface with an error status.
    let surface = read!
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS,
      cairo_image_surface_get_width(surface) == width,
      cairo_image_surface_get_height(surface) == height
    else {
      cairo_surface_destroy(surface)
      throw Self.error(status)
    }
    return surface
  }

  private static func error(_ status: cairo_status_t) -> PictureError {
    switch status {
    case CAIRO_STATUS_READ_ERROR: PictureError("it ends too early")
    case CAIRO_STATUS_NO_MEMORY: PictureError("there is not enough memory for its pixels")
    default: PictureError("it is damaged")
    }
  }
}
