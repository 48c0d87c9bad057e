import AsyncRender
import Foundation
import PatternTesting
import Testing

/// Pictures that are written as PNG and read again, and files that only look like PNG.
@Suite struct PNGTests {
  private func sample() throws -> Picture {
    try drawn(30, 20) { canvas in
      let gradient = Gradient(Color(red: 1, green: 0.5, blue: 0, alpha: 0.25), .black)
      canvas.fill(with: .linear(gradient, from: .zero, to: Point(x: 30, y: 20)))
      canvas.draw(TextLayout("png", font: try! Font("Sans 9")), at: .zero, color: .white)
    }
  }

  @Test func `an opaque picture is read as it was written`() throws {
    let opaque = try Canvas(size: Size(width: 7, height: 5), isOpaque: true)
    opaque.fill(Rect(x: 1, y: 1, width: 3, height: 3), with: .color(Color(gray: 0.5)))
    let picture = try opaque.finish()
    let data = try picture.pngData()
    #expect(data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let read = try Picture(png: data)
    #expect(read == picture)
    #expect(read.isOpaque)
    #expect(try read.pngData() == data)
  }

  /// Colours in PNG are not multiplied by their opacity. So nearly transparent pixels lose some of their colour.
  @Test func `a translucent picture is read almost as it was written`() throws {
    let picture = try sample()
    let once = try Picture(png: picture.pngData(), scale: 2)
    #expect((once.width, once.height, once.scale) == (30, 20, 2))
    #expect(once.size == Size(width: 15, height: 10))
    for (row, other) in zip(picture.rows, once.rows) {
      for (pixel, other) in zip(row, other) {
        for shift in [0, 8, 16, 24] {
          let (one, two) = (Int(pixel >> shift & 0xFF), Int(other >> shift & 0xFF))
          #expect(abs(one - two) <= 1)
        }
      }
    }
    #expect(try Picture(png: once.pngData(), scale: 2) == once)
  }

  @Test func `a missing file is an error that names it`() {
    let nowhere = URL(filePath: "/nowhere/none/sample.png")
    let read = #expect(throws: DrawingError.self) { try Picture(contentsOf: nowhere) }
    #expect(read?.description.contains("none/sample.png") == true)
  }

  /// A file that is truncated at any point gives an error, even if only the trailer is missing.
  @Test func `a truncated picture is an error`() throws {
    let data = try sample().pngData()
    for count in 0..<data.count {
      #expect(throws: DrawingError.self, "\(count) of \(data.count) bytes") {
        try Picture(png: data.prefix(count))
      }
    }
  }

  /// Checksums cover everything that matters. A changed file that can still be read gives exactly the same picture.
  @Test func `a picture with a changed byte is an error or equal`() throws {
    let picture = try sample()
    let data = try picture.pngData()
    let read = try Picture(png: data)
    var errors = 0
    for place in data.indices {
      var damaged = data
      damaged[place] ^= 0x5A
      do {
        #expect(try Picture(png: damaged) == read, "byte \(place) of \(data.count)")
      } catch {
        errors += 1
      }
    }
    // Every changed byte gives an error, except in a chunk that is not part of the pixels.
    #expect(errors > data.count - 20)
  }

  static let invalidSizes = [
    (30_000, 30_000), (0, 10), (10, 0), (0xFFFF_FFFF, 1), (0x7FFF_FFFF, 0x7FFF_FFFF), (32_768, 1),
    (8_000, 8_000),
  ]

  /// A picture whose header claims another size.
  private func sample(promising width: Int, by height: Int) throws -> Data {
    var data = try sample().pngData()
    data.replaceSubrange(16..<24, with: bigEndian(width) + bigEndian(height))
    data.replaceSubrange(29..<33, with: bigEndian(Int(checksum(data[12..<29]))))
    return data
  }

  @Test(arguments: invalidSizes)
  func `a header with too large a size is an error`(width: Int, height: Int) throws {
    let data = try sample(promising: width, by: height)
    let error = #expect(throws: DrawingError.self) { try Picture(png: data) }
    #expect(error?.description.contains("\(width) x \(height) pixels") == true, "\(error as Any)")
  }

  /// Runs in its own process, so that it does not measure other tests.
  @Test func `a header with too large a size takes no memory`() async {
    await #expect(processExitsWith: .success) {
      let tests = PNGTests()
      for (width, height) in PNGTests.invalidSizes {
        let data = try tests.sample(promising: width, by: height)
        let before = peakBytes
        _ = try? Picture(png: data)
        guard peakBytes - before < 16 << 20 else { throw Promised(width: width, height: height) }
      }
    }
  }

  private struct Promised: Error { let width, height: Int }

  /// Runs in its own process, so that it does not measure other tests.
  @Test func `a chunk with too great a length takes no memory`() async {
    await #expect(processExitsWith: .success) {
      let tests = PNGTests()
      var data = try tests.sample().pngData()
      // After the header, a comment that claims to have 1.6 gigabytes.
      data.insert(contentsOf: tests.bigEndian(0x6100_0003) + Array("tEXtComment".utf8), at: 33)
      let before = peakBytes
      let error = #expect(throws: DrawingError.self) { try Picture(png: data) }
      #expect(error?.description.contains("it ends within a chunk") == true)
      guard peakBytes - before < 16 << 20 else { throw Claimed() }
    }
  }

  private struct Claimed: Error {}

  @Test func `a header with an invalid depth or colour type is an error`() throws {
    for (depth, kind): (UInt8, UInt8) in [(8, 1), (3, 0), (0, 0), (16, 9), (255, 255)] {
      var data = try sample().pngData()
      data[24] = depth
      data[25] = kind
      data.replaceSubrange(29..<33, with: bigEndian(Int(checksum(data[12..<29]))))
      #expect(throws: DrawingError.self) { try Picture(png: data) }
    }
  }

  @Test(arguments: [
    Data(), Data([0x89]), Data("<svg/>".utf8),
    Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    Data(repeating: 0, count: 1_000),
  ])
  func `data that is not a PNG is an error`(data: Data) {
    #expect(throws: DrawingError.self) { try Picture(png: data) }
  }

  @Test(arguments: [0.0, -1, .nan, .infinity])
  func `a picture needs a positive, finite scale`(scale: Double) throws {
    let data = try sample().pngData()
    #expect(throws: DrawingError.self) { try Picture(png: data, scale: scale) }
  }

  /// A picture with 16 bits a component, one with a palette and one bit a pixel, and a grey one with transparency.
  @Test(
    arguments: zip(
      [
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABEAIAAADA54+dAAAADUlEQVR4nGP4/58BCAAK/AH/E8mFCQAAAABJRU5ErkJggg==",
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABAQMAAADO7O3JAAAABlBMVEX///8AAP94wDzzAAAAAXRSTlMAQObYZgAAAApJREFUeJxjcAAAAEIAQSk39O8AAAAASUVORK5CYII=",
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAQAAABeK7cBAAAADUlEQVR4nGP4//9/AwAJfAN+TrsbXQAAAABJRU5ErkJggg==",
      ],
      [[0xFFFF_0000], [0, 0xFF00_00FF], [0xFFFF_FFFF, 0x8080_8080]] as [[UInt32]]))
  func `a picture of another depth or colour type is read`(text: String, pixels: [UInt32]) throws {
    let picture = try Picture(png: #require(Data(base64Encoded: text)))
    #expect(picture.rows == [pixels])
  }

  private func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// CRC-32 as PNG defines it.
  private func checksum(_ bytes: Data) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
  }
}
