internal import CCairo

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PNG {
  /// Reads the pixels.
  ///
  /// - Throws: `PictureError` if the data is damaged or ends too early.
  /// - Complexity: O(width · height).
  public func pixels() throws(PictureError) -> Raster {
    let surface = try surface()
    defer { cairo_surface_destroy(surface) }
    guard let rows = cairo_image_surface_get_data(surface) else {
      throw PictureError("it is damaged")
    }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let isOpaque = cairo_image_surface_get_format(surface) == CAIRO_FORMAT_RGB24
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      let row = UnsafeRawPointer(rows + y * stride).assumingMemoryBound(to: UInt32.self)
      // The highest byte of an opaque surface is anything.
      for x in 0..<width { pixels.append(isOpaque ? row[x] | 0xFF00_0000 : row[x]) }
    }
    return Raster(width: width, height: height, pixels: pixels)
  }

  /// An image surface with 8 bits a channel, which the caller owns.
  private func surface() throws(PictureError) -> OpaquePointer {
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
    // Never nil: what went wrong is a surface as well.
    let surface = read!
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS,
      cairo_image_surface_get_width(surface) == width,
      cairo_image_surface_get_height(surface) == height
    else {
      cairo_surface_destroy(surface)
      throw Self.error(status)
    }
    let format = cairo_image_surface_get_format(surface)
    if format == CAIRO_FORMAT_ARGB32 || format == CAIRO_FORMAT_RGB24 { return surface }
    // 16 bits a channel come as floating-point numbers.
    defer { cairo_surface_destroy(surface) }
    let converted = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))!
    let context = cairo_create(converted)
    cairo_set_source_surface(context, surface, 0, 0)
    cairo_paint(context)
    cairo_destroy(context)
    cairo_surface_flush(converted)
    return converted
  }

  private static func error(_ status: cairo_status_t) -> PictureError {
    switch status {
    case CAIRO_STATUS_READ_ERROR: PictureError("it ends too early")
    case CAIRO_STATUS_NO_MEMORY: PictureError("there is not enough memory for its pixels")
    default: PictureError("it is damaged")
    }
  }
}
