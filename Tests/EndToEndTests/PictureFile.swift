import Foundation

/// An uncompressed PNG file, built byte by byte.
struct PictureFile {
  let data: Data

  /// - Parameter pixel: the red, green, blue and alpha values of a pixel.
  init(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width { rows += pixel(x, y) }
    }
    let size = Self.bytes(width) + Self.bytes(height)
    data = Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + Self.chunk("IHDR", size + [8, 6, 0, 0, 0])
        + Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", []))
  }

  /// Two rows of red above two rows of blue, with a transparent area at the lower right.
  static let flag = PictureFile(width: 4, height: 4) { x, y in
    y < 2 ? [255, 0, 0, 255] : x == 3 ? [0, 0, 0, 0] : [0, 0, 255, 255]
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    // CRC-32
    let sum = body.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return bytes(content.count) + body + bytes(~sum)
  }

  /// A zlib stream of stored blocks.
  private static func stored(_ content: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: content.count, by: 65535) {
      let block = content[start..<min(start + 65535, content.count)]
      let count = block.count
      stream += [block.endIndex == content.count ? 1 : 0]
      for number in [count, ~count] { stream += [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)] }
      stream += block
    }
    var (a, b) = (1, 0)
    for byte in content {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return stream + bytes(b << 16 | a)
  }
}

extension PlaygroundHome {
  /// Writes a picture to the working folder of the program.
  func write(_ picture: PictureFile, to name: String) throws {
    try picture.data.write(to: URL(filePath: workingFolder + "/" + name))
  }

  /// The contents of a file in that folder; nil if there is none.
  func contents(_ name: String) -> Data? {
    try? Data(contentsOf: URL(filePath: workingFolder + "/" + name))
  }
}
