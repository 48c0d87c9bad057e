import Foundation
import PatternTesting
import Pictures
import Testing

@Suite struct PNGTests {
  @Test func `the pixels are those that were written`() throws {
    let rows: [[UInt32]] = [
      [0xFFFF_0000, 0xFF00_FF00, 0], [0xFF00_00FF, 0x8000_0080, 0xFFFF_FFFF],
    ]
    let png = try PNG(MadePNG.data(rows))
    #expect(png.width == 3 && png.height == 2)
    #expect(try png.pixels() == Raster(width: 3, height: 2, pixels: rows.flatMap { $0 }))
  }

  @Test func `a file in a slice of memory is read`() throws {
    let data = try MadePNG.data(width: 2, height: 2)
    let slice = (Data([1, 2, 3]) + data).dropFirst(3)
    #expect(PNG.isPNG(slice))
    #expect(try PNG(slice).pixels().pixels == [UInt32](repeating: 0xFFFF_0000, count: 4))
  }

  /// Files made by hand, in base64: a grey pixel of 16 bits, black and white pixels of one bit, and a pixel of a
  /// palette.
  @Test(arguments: [
    (
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABEAAAAABq7kcWAAAAC0lEQVR4nGNoaAAAAYMBARg1IhUAAAAASUVORK5CYII=",
      [UInt32](arrayLiteral: 0xFF80_8080)
    ),
    (
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABAQAAAADcWUInAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
      [0xFFFF_FFFF, 0xFF00_0000]
    ),
    (
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAMAAAAoyzS7AAAAA1BMVEUAgP+x+0ocAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
      [0xFF00_80FF]
    ),
  ])
  func `other kinds of files`(_ base64: String, _ pixels: [UInt32]) throws {
    let png = try PNG(#require(Data(base64Encoded: base64)))
    #expect(try png.pixels().pixels == pixels)
  }

  @Test(arguments: [
    (Data(), "it is not a PNG"), (Data("GIF89a".utf8), "it is not a PNG"),
    (MadePNG.header(width: 1, height: 1).prefix(8), "it ends within its header"),
    (MadePNG.header(width: 1, height: 1).prefix(32), "it ends within its header"),
    (
      MadePNG.header(width: 0, height: 1, followedBy: 99),
      "it is 0 × 1 pixels; each can be from 1 to 32767"
    ),
    (
      MadePNG.header(width: .max, height: .max, followedBy: 99),
      "it is 4294967295 × 4294967295 pixels; each can be from 1 to 32767"
    ),
    (
      MadePNG.header(width: 32767, height: 32767, followedBy: 99),
      "it has 32767 × 32767 pixels, more than the limit of 33554432"
    ),
    (
      MadePNG.header(width: 4096, height: 4096, depth: 16, followedBy: 99),
      "it has 4096 × 4096 pixels, more than the limit of 8388608"
    ),
    (
      MadePNG.header(width: 4096, height: 4096, followedBy: 67),
      "100 bytes cannot hold its 4096 × 4096 pixels"
    ),
    (MadePNG.header(width: 1, height: 1, depth: 3, followedBy: 99), "its header is damaged"),
    (MadePNG.header(width: 1, height: 1, type: 5, followedBy: 99), "its header is damaged"),
  ])
  func `an invalid file is an error with its reason`(_ data: Data, _ reason: String) {
    let error = #expect(throws: PictureError.self) { try PNG(data) }
    #expect(error?.description == reason)
  }

  @Test func `a file that ends after its header is an error`() throws {
    let png = try PNG(MadePNG.header(width: 4, height: 4))
    let error = #expect(throws: PictureError.self) { try png.pixels() }
    #expect(error?.description == "it ends too early")
  }

  @Test func `a truncated file is reported`() throws {
    let data = try MadePNG.data((0..<9).map { y in (0..<9).map { 0xFF00_0000 | $0 * 1000 * y } })
    for count in 33..<data.count {
      let png = try PNG(data.prefix(count))
      let error = #expect(throws: PictureError.self, "\(count) bytes") { try png.pixels() }
      #expect(error?.description == "it ends too early", "\(count) bytes")
    }
  }

  /// Runs in its own process, so that it does not measure other tests.
  @Test func `a chunk with too great a length takes no memory`() async {
    await #expect(processExitsWith: .success) {
      var data = try MadePNG.data(width: 2, height: 2)
      // Behind the header, a comment that claims to have 1.6 gigabytes.
      data.insert(contentsOf: [0x61, 0, 0, 3] + Array("tEXtComment".utf8), at: 33)
      let png = try PNG(data)
      let before = peakBytes
      let error = #expect(throws: PictureError.self) { try png.pixels() }
      #expect(error?.description == "it ends too early")
      guard peakBytes - before < 16 << 20 else { throw Claimed() }
    }
  }

  private struct Claimed: Error {}

  /// Checksums detect changes, except in bytes that the decoder does not read.
  @Test func `a changed byte never causes a crash`() throws {
    let rows: [[UInt32]] = (0..<9).map { y in (0..<9).map { 0xFF00_0000 | $0 * 1000 * y } }
    let data = try MadePNG.data(rows)
    var refused = 0
    for index in data.indices {
      var changed = data
      changed[index] ^= 0xFF
      do {
        let pixels = try PNG(changed).pixels()
        #expect(pixels.pixels == rows.flatMap { $0 }, "byte \(index)")
      } catch {
        refused += 1
      }
    }
    #expect(refused > data.count * 9 / 10)
  }
}
