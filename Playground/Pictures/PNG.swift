#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The bytes of a PNG file whose header has been read and is valid.
///
/// The pixels are not decoded yet, so a file with a false size costs nothing.
public struct PNG: Sendable, Hashable {
  /// The maximum number of pixels. If channels have 16 bits, the maximum is a quarter of this.
  public static let mostPixels = 1 << 25
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  public let data: Data
  /// In pixels, from 1 to 32767.
  public let width: Int
  /// In pixels, from 1 to 32767.
  public let height: Int

  /// Whether the bytes begin with the signature of a PNG file. The rest may be damaged.
  public static func isPNG(_ data: Data) -> Bool { data.starts(with: signature) }

  /// Reads the header.
  ///
  /// - Throws: `PictureError` if the data is not a PNG, has an invalid header, has more pixels than ``mostPixels``, or
  ///   is too short to contain its pixels.
  /// - Complexity: O(1).
  public init(_ data: Data) throws(PictureError) {
    guard Self.isPNG(data) else { throw PictureError("it is not a PNG") }
    // The signature, the header's length, name and 13 bytes, and its checksum.
    let bytes = Array(data.prefix(33))
    guard bytes.count == 33 else { throw PictureError("it ends within its header") }
    func integer(at index: Int) -> Int {
      bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    guard integer(at: 8) == 13, bytes[12..<16].elementsEqual("IHDR".utf8) else {
      throw PictureError("its header is damaged")
    }
    let (width, height) = (integer(at: 16), integer(at: 20))
    let depth = Int(bytes[24])
    guard let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][bytes[25]],
      [1, 2, 4, 8, 16].contains(depth)
    else { throw PictureError("its header is damaged") }
    // The limits of Cairo.
    guard (1...32767).contains(width), (1...32767).contains(height) else {
      throw PictureError("it is \(width) × \(height) pixels; each can be from 1 to 32767")
    }
    let most = depth == 16 ? Self.mostPixels / 4 : Self.mostPixels
    guard width * height <= most else {
      throw PictureError("it has \(width) × \(height) pixels, more than the limit of \(most)")
    }
    // Deflate compresses data at most by a factor of 1032.
    guard data.count * 1032 >= (width * depth * channels + 7) / 8 * height else {
      throw PictureError("\(data.count) bytes cannot hold its \(width) × \(height) pixels")
    }
    self.data = data
    self.width = width
    self.height = height
  }
}
