/// Pixels in rows, as Cairo has them: alpha, red, green and blue, the colours multiplied by alpha.
public struct Raster: Sendable, Hashable {
  public let width: Int
  public let height: Int
  /// Alpha in the highest byte, blue in the lowest; `width * height` of them, from the top left.
  public let pixels: [UInt32]

  /// - Precondition: there are `width * height` pixels, and one at least.
  public init(width: Int, height: Int, pixels: [UInt32]) {
    precondition(width > 0 && height > 0 && pixels.count == width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }

  /// The picture at another size: each pixel is the mean of what it covers.
  ///
  /// Smaller is smooth, larger is made of squares. The mean is that of the stored values, as most
  /// programs take it, and not that of the light they stand for.
  ///
  /// - Complexity: O(pixels of the larger of the two).
  func scaled(width newWidth: Int, height newHeight: Int) -> Raster {
    if newWidth == width, newHeight == height { return self }
    let columns = Self.shares(of: width, among: newWidth)
    let rows = Self.shares(of: height, among: newHeight)
    var result: [UInt32] = []
    result.reserveCapacity(newWidth * newHeight)
    for row in rows {
      var sums = [SIMD4<Float>](repeating: .zero, count: newWidth)
      for (y, share) in row {
        let line = y * width
        for (x, column) in columns.enumerated() {
          for (source, part) in column {
            sums[x] += Self.channels(pixels[line + source]) * (part * share)
          }
        }
      }
      result += sums.map(Self.pixel)
    }
    return Raster(width: newWidth, height: newHeight, pixels: result)
  }

  /// What each of `parts` equal parts covers of `count` things: their indices, and how much of the part
  /// each one is.
  private static func shares(of count: Int, among parts: Int) -> [[(Int, Float)]] {
    (0..<parts).map { part in
      // In units of one thing divided by `parts`, so that all is whole.
      let (from, to) = (part * count, (part + 1) * count)
      return (from / parts...(to - 1) / parts).map { index in
        let covered = min(to, (index + 1) * parts) - max(from, index * parts)
        return (index, Float(covered) / Float(count))
      }
    }
  }

  private static func channels(_ pixel: UInt32) -> SIMD4<Float> {
    SIMD4(
      Float(pixel >> 24), Float(pixel >> 16 & 0xFF), Float(pixel >> 8 & 0xFF), Float(pixel & 0xFF))
  }

  private static func pixel(_ channels: SIMD4<Float>) -> UInt32 {
    let bytes = SIMD4<UInt32>(channels.rounded(.toNearestOrAwayFromZero))
    return bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3]
  }
}
