#if canImport(Glibc)
  import Glibc
#endif

/// Where the files of a process lie in its memory, so that an address of another run of the program can be found in this
/// one.
struct AddressMap {
  private struct Segment {
    var range: Range<UInt>
    var offset: UInt
    var file: Substring
  }

  private var segments: [Segment] = []

  /// That of the calling process.
  static var own: AddressMap { AddressMap(text: ownText) }

  /// What the system says about the calling process.
  static var ownText: String {
    let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    // Such a file has no size, and each call reads a part of it.
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while case let count = read(file, buffer.baseAddress, buffer.count), count > 0 {
        bytes += buffer[..<count]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter text: as ``ownText``.
  init(text: String) {
    for line in text.split(separator: "\n") {
      guard let file = line.firstIndex(of: "/").map({ line[$0...] }) else { continue }
      let words = line.split(separator: " ", maxSplits: 3)
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard words.count == 4, ends.count == 2, ends[0] < ends[1],
        let offset = UInt(words[2], radix: 16)
      else {
        continue
      }
      segments.append(Segment(range: ends[0]..<ends[1], offset: offset, file: file))
    }
  }

  /// The same place in the memory of a process that has another map; nil if that has not loaded the file.
  func translate(_ address: UInt, to other: AddressMap) -> UInt? {
    guard let segment = segments.first(where: { $0.range.contains(address) }) else { return nil }
    let place = address - segment.range.lowerBound + segment.offset
    let own = other.segments.first { candidate in
      candidate.file == segment.file && place >= candidate.offset
        && place - candidate.offset < UInt(candidate.range.count)
    }
    return own.map { $0.range.lowerBound + place - $0.offset }
  }
}
