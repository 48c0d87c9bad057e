internal import CCairo

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What was drawn: pixels that change no more.
///
/// Any number of threads can read it, draw it on their canvases and write it at the same time.
public final class Picture: @unchecked Sendable {
  // Safe to share: the pixels change no more, and the surface is touched only when nobody has it any more. Who
  // reads the pixels through Cairo does it with a surface of its own: Cairo's must not be shared.
  private let owner: OpaquePointer
  private let pixels: UnsafeMutablePointer<UInt8>

  /// In pixels.
  public let width: Int
  /// In pixels.
  public let height: Int
  /// Pixels in a unit.
  public let scale: Double
  /// From one row to the next one, in bytes.
  public let bytesPerRow: Int
  /// Whether nothing can be seen through it.
  public let isOpaque: Bool

  /// In units; one is `scale` pixels.
  public var size: Size { Size(width: Double(width) / scale, height: Double(height) / scale) }

  /// - Parameter surface: an image surface of 32 bits a pixel that nobody else has; takes over a reference.
  init(takingOver surface: OpaquePointer, scale: Double) throws(DrawingError) {
    cairo_surface_flush(surface)
    let format = cairo_image_surface_get_format(surface)
    guard let pixels = cairo_image_surface_get_data(surface),
      format == CAIRO_FORMAT_ARGB32 || format == CAIRO_FORMAT_RGB24
    else {
      let status = cairo_surface_status(surface)
      cairo_surface_destroy(surface)
      throw DrawingError(status, while: "making a picture")
        ?? DrawingError("a picture cannot be made of pixels of this kind")
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

  /// Calls `body` with the pixels, row by row from the top: `bytesPerRow` bytes each, of which `4 * width` count.
  ///
  /// A pixel is a number of 32 bits in the order of the machine: from the highest byte down alpha, red, green and
  /// blue, which are multiplied by alpha.
  public func withPixels<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(UnsafeRawBufferPointer(start: pixels, count: bytesPerRow * height))
  }

  /// The pixel in a column and a row, as ``withPixels(_:)`` has it; nil outside.
  public subscript(x: Int, y: Int) -> UInt32? {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
    return withPixels { $0.load(fromByteOffset: y * bytesPerRow + 4 * x, as: UInt32.self) }
  }

  /// Calls `body` with a surface of these pixels that nobody else has, and that is gone after it.
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

  /// Cairo leaves the highest byte of an opaque pixel as it is.
  private func fillAlpha() {
    let count = bytesPerRow / 4 * height
    UnsafeMutableRawPointer(pixels).withMemoryRebound(to: UInt32.self, capacity: count) { pixels in
      for index in 0..<count { pixels[index] |= 0xFF00_0000 }
    }
  }
}

extension Picture: Hashable {
  /// Whether they have the same pixels and the same scale.
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
