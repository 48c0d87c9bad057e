/// Pixels in rows, in Cairo's format: alpha, red, green and blue, with the colours multiplied by alpha.
public struct Raster: Sendable, Hashable {
  public let width: Int
  public let height: Int
  /// Alpha in the highest byte, blue in the lowest. There are `width * height` pixels, starting at the top left.
  public let pixels: [UInt32]

  /// - Precondition: there are `width * height` pixels, and at least one.
  public init(width: Int, height: Int, pixels: [UInt32]) {
    precondition(width > 0 && height > 0 && pixels.count == width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }
}
