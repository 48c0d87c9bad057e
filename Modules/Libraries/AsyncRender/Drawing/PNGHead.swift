/// The head of a PNG file: its signature and the chunk `IHDR`.
///
/// Source: “Portable Network Graphics (PNG) Specification (Third Edition)”, W3C 2025, 5.2 and 11.2.1.
struct PNGHead {
  let width: Int
  let height: Int
  /// Bits per pixel.
  let bits: Int

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  init(_ bytes: [UInt8]) throws(DrawingError) {
    guard bytes.starts(with: PNGHead.signature) else {
      throw DrawingError(
        "this is not a PNG: it does not start with the signature of a PNG; read a PNG file instead"
      )
    }
    func number(at place: Int) -> Int {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count >= 33, number(at: 8) == 13, bytes[12..<16].elementsEqual("IHDR".utf8) else {
      throw DrawingError("the PNG is damaged: its head is missing; make the file again")
    }
    width = number(at: 16)
    height = number(at: 20)
    let depth = Int(bytes[24])
    let components = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][bytes[25]]
    guard let components, [1, 2, 4, 8, 16].contains(depth) else {
      throw DrawingError(
        "the PNG is damaged: the colour type \(bytes[25]) cannot have \(depth) bits; make the "
          + "file again")
    }
    bits = components * depth
  }

  /// - Parameter count: the number of bytes in the whole file.
  func check(_ count: Int) throws(DrawingError) {
    let sides = 1...Canvas.longestSide
    guard sides.contains(width), sides.contains(height), width * height <= Canvas.mostPixels else {
      throw DrawingError(
        "a PNG of \(width) x \(height) pixels is too large or empty: each side must have 1 to "
          + "\(Canvas.longestSide) pixels, and the picture at most \(Canvas.mostPixels)")
    }
    // Deflate compresses data at most by a factor of 1032 (RFC 1951: 258 bytes in two bits).
    guard width * height * bits / 8 <= count * 1_032 else {
      throw DrawingError(
        "the PNG is damaged: \(count) bytes are too few for \(width) x \(height) pixels; make the "
          + "file again")
    }
  }
}
