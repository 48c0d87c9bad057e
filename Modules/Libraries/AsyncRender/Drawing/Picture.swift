internal import CCairo

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A finished drawing: pixels that no longer change.
///
/// Any number of threads can read a picture, draw it on their canvases and write it at the same time.
public final class Picture: @unchecked Sendable {
  // Safe to share: the pixels never change, and the surface is touched only when it has no other references. Code that
  // reads the pixels through Cairo uses its own surface, because a Cairo surface must not be shared.
  private let owner: OpaquePointer
  private let pixels: UnsafeMutablePointer<UInt8>

  /// In pixels.
  public let width: Int
  /// In pixels.
  public let height: Int
  /// Pixels per unit.
  public let scale: Double
  /// The distance from one row to the next, in bytes.
  public let bytesPerRow: Int
  /// Whether the picture has no transparency.
  public let isOpaque: Bool

  /// In units. One unit is `scale` pixels.
  public var size: Size { Size(width: Double(width) / scale, height: Double(height) / scale) }

  /// - Parameter surface: an image surface with 32 bits per pixel and no other references. The picture takes ownership
  ///   of it.
  init(takingOver surface: OpaquePointer, scale: Double) throws(DrawingError) {
    cairo_surface_flush(surface)
    let format = cairo_image_surface_get_format(surface)
    guard let pixels = cairo_image_surface_get_data(surface),
      format == CAIRO_FORMAT_ARGB32 || format == CAIRO_FORMAT_RGB24
    else {
      let status = cairo_surface_status(surface)
      cairo_surface_destroy(surface)
      throw DrawingError(status, while: "making a picture")
        ?? DrawingError("a picture cannot have pixels of this format")
    }
    owner = surface
    self.pixels = pixels
    width = Int(cairo_image_surface_get_width(surface))
    height = Int(cairo_image_surface_get_height(surface))
    bytesPerRow = Int(cairo_image_surface_get_stride(surface))
    self.scale = scale
    isOpaque = format == CAIRO_FORMAT_RGB24
    if isOpaque { fillAlpha() }
  }

  deinit { cairo_surface_destroy(owner) }

  /// Calls `body` with the pixels, row by row from the top. Each row has `bytesPerRow` bytes, of which the first `4 *
  /// width` are used.
  ///
  /// A pixel is a 32-bit number in the byte order of the machine. From the highest byte down, it holds alpha, red,
  /// green and blue. The colours are premultiplied by alpha.
  public func withPixels<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(UnsafeRawBufferPointer(start: pixels, count: bytesPerRow * height))
  }

  /// The pixel in a column and a row, in the format of ``withPixels(_:)``; nil outside the picture.
  public subscript(x: Int, y: Int) -> UInt32? {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
    return withPixels { $0.load(fromByteOffset: y * bytesPerRow + 4 * x, as: UInt32.self) }
  }

  /// Calls `body` with a new surface for these pixels, which is destroyed afterwards.
  func withSurface<Result, Failure: Error>(
    _ body: (OpaquePointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let surface = cairo_image_surface_create_for_data(
      pixels, isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, Int32(width), Int32(height),
      Int32(bytesPerRow))
    defer {
      cairo_surface_finish(surface)
      cairo_surface_destroy(surface)
      withExtendedLifetime(self) {}
    }
    return try body(surface)
  }

  /// Sets the highest byte of each pixel of an opaque picture, which Cairo leaves undefined.
  private func fillAlpha() {
    let count = bytesPerRow / 4 * height
    UnsafeMutableRawPointer(pixels).withMemoryRebound(to: UInt32.self, capacity: count) { pixels in
      for index in 0..<count { pixels[index] |= 0xFF00_0000 }
    }
  }
}

extension Picture: Hashable {
  /// Whether both have the same pixels and the same scale.
  ///
  /// - Complexity: O(pixels).
  public static func == (left: Picture, right: Picture) -> Bool {
    guard left !== right else { return true }
    guard left.width == right.width, left.height == right.height, left.scale == right.scale else {
      return false
    }
    return (0..<left.height).allSatisfy { row in
      memcmp(
        left.pixels + row * left.bytesPerRow, right.pixels + row * right.bytesPerRow,
        4 * left.width) == 0
    }
  }

  /// - Complexity: O(pixels).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    hasher.combine(height)
    hasher.combine(scale)
    for row in 0..<height {
      hasher.combine(
        bytes: UnsafeRawBufferPointer(start: pixels + row * bytesPerRow, count: 4 * width))
    }
  }
}
