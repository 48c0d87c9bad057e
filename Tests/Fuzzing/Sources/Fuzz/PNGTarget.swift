import AsyncRender
import Foundation
import Pictures

/// Decodes any bytes as a PNG file: for the terminal, and as a picture of AsyncRender. If the first byte is even, the
/// checksums of the chunks are corrected first, so that damage reaches the decoder.
enum PNGTarget {
  /// Larger pictures are slow, and their decoding is the same.
  private static let mostPixels = 1 << 16

  static func run(_ bytes: [UInt8]) -> Int32 {
    guard let mode = bytes.first else { return -1 }
    var file = Array(bytes.dropFirst())
    if mode & 1 == 0 { PNGChunks.correct(&file) }
    let data = Data(file)
    show(data, mode)
    // A damaged head, or a size beyond the decoder's limits, needs no check: `decode` refuses it by the head alone.
    if let png = try? PNG(data), png.width * png.height > mostPixels { return 0 }
    decode(data)
    return 0
  }

  private static func show(_ data: Data, _ mode: UInt8) {
    guard let png = try? PNG(data), png.width * png.height <= mostPixels else { return }
    let style = PictureStyle.allCases[Int(mode >> 1) % PictureStyle.allCases.count]
    let window = Window(columns: 1 + Int(mode >> 3), rows: 1 + Int(mode >> 4))
    _ = try? png.drawn(style, in: window, on: mode & 4 == 0 ? .dark : .light)
    if let pixels = try? png.pixels() {
      check(pixels.pixels.count == png.width * png.height, "a picture without all of its pixels")
    }
  }

  private static func decode(_ data: Data) {
    guard let picture = try? Picture(png: data) else { return }
    do {
      let again = try Picture(png: picture.pngData())
      check(again.size == picture.size, "\(picture.size) became \(again.size)")
    } catch {
      fatalError("a picture that was decoded cannot be encoded and decoded again: \(error)")
    }
  }
}

/// The chunks of a PNG file.
enum PNGChunks {
  /// Gives each chunk the checksum of its content.
  static func correct(_ file: inout [UInt8]) {
    var place = 8
    while place + 12 <= file.count {
      let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = place + 8 + length
      guard end + 4 <= file.count else { return }
      let sum = checksum(file[(place + 4)..<end])
      for (index, shift) in [24, 16, 8, 0].enumerated() {
        file[end + index] = UInt8(truncatingIfNeeded: sum >> UInt32(shift))
      }
      place = end + 4
    }
  }

  /// The checksum CRC-32 of ISO 3309.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ (sum >> 1) }
  }
}
