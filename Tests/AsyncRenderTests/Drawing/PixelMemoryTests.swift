import CCairo
import PatternTesting
import Testing

@testable import AsyncRender

@Suite struct PixelMemoryTests {
  private let memory = PixelMemory()

  /// Owns a surface of a memory.
  private final class Sheet {
    let surface: OpaquePointer
    let bytes: UnsafeMutableRawBufferPointer

    init(_ memory: PixelMemory, _ width: Int, _ height: Int, opaque: Bool = false) {
      let made = memory.makeSurface(
        opaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, width: width, height: height)
      cairo_destroy(made.context)
      surface = made.surface
      cairo_surface_flush(surface)
      bytes = UnsafeMutableRawBufferPointer(
        start: cairo_image_surface_get_data(surface),
        count: Int(cairo_image_surface_get_stride(surface)) * height)
    }

    deinit { cairo_surface_destroy(surface) }

    var isClear: Bool { bytes.allSatisfy { $0 == 0 } }
    func smear() {
      for index in bytes.indices { bytes[index] = 0xAB }
      cairo_surface_mark_dirty(surface)
    }
  }

  @Test(arguments: [false, true])
  func `reused memory shows nothing of earlier drawings`(opaque: Bool) {
    var addresses: [UnsafeMutableRawPointer?] = []
    for _ in 1...3 {
      let sheet = Sheet(memory, 300, 200, opaque: opaque)
      addresses.append(sheet.bytes.baseAddress)
      let isClear =
        opaque
        ? sheet.bytes.enumerated().allSatisfy { $0.offset % 4 == 3 || $0.element == 0 }
        : sheet.isClear
      #expect(isClear)
      sheet.smear()
    }
    #expect(Set(addresses).count == 1)
  }

  @Test func `a new canvas is empty, whatever was drawn before`() throws {
    for round in 1...20 {
      let empty = try drawn(300, 200) { _ in }
      #expect(empty.withPixels { $0.allSatisfy { $0 == 0 } }, "round \(round)")
      let black = try Canvas(size: Size(width: 300, height: 200), isOpaque: true).finish()
      #expect(black[17, 100] == 0xFF00_0000 && black[299, 199] == 0xFF00_0000)
      _ = try drawn(300, 200) { $0.fill(with: .color(.white)) }
    }
  }

  @Test func `a surface keeps its memory, even after its picture is released`() throws {
    let canvas = try Canvas(size: Size(width: 300, height: 200))
    canvas.fill(with: .color(.white))
    let held = canvas.withCairo { cairo_surface_reference(cairo_get_target($0)) }
    defer { cairo_surface_destroy(held) }
    var picture: Picture? = try canvas.finish()
    #expect(picture?[0, 0] == 0xFFFF_FFFF)
    picture = nil
    let others = try (0..<8).map { _ in try drawn(300, 200) { $0.fill(with: .color(.black)) } }
    let data = try #require(cairo_image_surface_get_data(held))
    #expect((0..<240_000).allSatisfy { data[$0] == 0xFF })
    withExtendedLifetime(others) {}
  }

  @Test func `small and very large pictures do not use the shared memory`() {
    for (width, height) in [(90, 90), (1_025, 1_024)] {
      let sheet = Sheet(memory, width, height)
      #expect(sheet.isClear && memory.bytes == (0, 0))
      sheet.smear()
    }
    do {
      let sheets = (Sheet(memory, 128, 64), Sheet(memory, 1_024, 1_024))
      #expect(memory.bytes == (1 << 15 + 1 << 22, 0))
      withExtendedLifetime(sheets) {}
    }
    #expect(memory.bytes.used == 0)
  }

  @Test func `a piece is at most a quarter larger than needed`() {
    var sizes: Set<Int> = []
    for count in stride(from: 1 << 15, through: 1 << 22, by: 1_028) {
      let size = PixelMemory.size(for: count)
      #expect(size >= count && size * 4 <= count * 5 && PixelMemory.size(for: size) == size)
      sizes.insert(size)
    }
    #expect(sizes.count == 4 * 7 + 1)
  }

  @Test func `it keeps half as much as is in use plus one mebibyte`() {
    let piece = PixelMemory.size(for: 240_000)
    var sheets = (0..<40).map { _ in Sheet(memory, 300, 200) }
    #expect(memory.bytes == (40 * piece, 0))
    while !sheets.isEmpty {
      sheets.removeLast()
      let (used, kept) = memory.bytes
      #expect(used == sheets.count * piece && kept <= used / 2 + PixelMemory.slack)
    }
    #expect(memory.bytes == (0, 4 * piece))
  }

  @Test func `it never keeps more than 16 mebibytes and frees the least recently used memory`() {
    let used = (0..<12).map { _ in Sheet(memory, 1_024, 1_024) }
    do {
      let small = (0..<8).map { _ in Sheet(memory, 300, 200) }
      withExtendedLifetime(small) {}
    }
    do {
      let more = (0..<6).map { _ in Sheet(memory, 1_024, 1_024) }
      withExtendedLifetime(more) {}
    }
    #expect(memory.bytes == (12 << 22, PixelMemory.most))
    withExtendedLifetime(used) {}
  }

  @Test func `no two surfaces share memory, on many threads`() {
    let mixed = Locked(0)
    onThreads(4) { [memory] thread in
      var held: [(sheet: Sheet, mark: UInt8)] = []
      for round in 0..<60 {
        let sheet = Sheet(memory, 300 - round % 3, 60 + thread)
        if !sheet.isClear { mixed.withLock { $0 += 1 } }
        let mark = UInt8(1 + thread * 60 + round)
        for index in sheet.bytes.indices { sheet.bytes[index] = mark }
        held.append((sheet, mark))
        guard held.count > 3 else { continue }
        let (old, oldMark) = held.removeFirst()
        if !old.bytes.allSatisfy({ $0 == oldMark }) { mixed.withLock { $0 += 1 } }
      }
    }
    #expect(mixed.withLock { $0 } == 0)
    #expect(memory.bytes.used == 0 && memory.bytes.kept <= PixelMemory.slack)
  }
}
