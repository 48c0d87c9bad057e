import CCairo
import Foundation
import Testing

/// PNG files made by Cairo, and changes to them.
enum MadePNG {
  /// A file of pixels in rows. Each pixel has alpha, red, green and blue, with the colours multiplied by alpha.
  static func data(_ rows: [[UInt32]]) throws -> Data {
    let (width, height) = (rows[0].count, rows.count)
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
    defer { cairo_surface_destroy(surface) }
    let pixels = try #require(cairo_image_surface_get_data(surface))
    let stride = Int(cairo_image_surface_get_stride(surface))
    for (y, row) in rows.enumerated() {
      UnsafeMutableRawPointer(pixels + y * stride)
        .copyMemory(from: row, byteCount: 4 * width)
    }
    cairo_surface_mark_dirty(surface)
    var data = Data()
    let status = withUnsafeMutablePointer(to: &data) { data in
      cairo_surface_write_to_png_stream(
        surface,
        { closure, bytes, count in
          closure!.assumingMemoryBound(to: Data.self).pointee.append(bytes!, count: Int(count))
          return CAIRO_STATUS_SUCCESS
        }, data)
    }
    try #require(status == CAIRO_STATUS_SUCCESS)
    return data
  }

  /// A file of one colour.
  static func data(width: Int, height: Int, _ pixel: UInt32 = 0xFFFF_0000) throws -> Data {
    try data([[UInt32]](repeating: [UInt32](repeating: pixel, count: width), count: height))
  }

  /// A file with a formally valid header of any content, followed by useless bytes.
  static func header(
    width: UInt32, height: UInt32, depth: UInt8 = 8, type: UInt8 = 6, followedBy count: Int = 0
  ) -> Data {
    var chunk = Data("IHDR".utf8)
    for number in [width, height] { chunk.append(bigEndian: number) }
    chunk.append(contentsOf: [depth, type, 0, 0, 0])
    var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
    data.append(chunk)
    data.append(bigEndian: checksum(chunk))
    data.append(Data(count: count))
    return data
  }

  /// The CRC-32 that PNG uses.
  private static func checksum(_ data: Data) -> UInt32 {
    ~data.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }
}

extension Data {
  fileprivate mutating func append(bigEndian number: UInt32) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
