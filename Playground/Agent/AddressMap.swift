import CPlaygroundAgent

#if canImport(Glibc)
  import Glibc
#endif

/// Where the files of a process lie in its memory, so that an address of another run of the program can be found in this
/// one.
struct AddressMap {
  /// Where each file begins.
  private var starts: [Substring: UInt] = [:]
  /// The same, by where they begin.
  private var files: [(start: UInt, file: Substring)] = []

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
      guard let file = line.firstIndex(of: "/").map({ line[$0...] }),
        let end = line.firstIndex(of: "-"), let start = UInt(line[..<end], radix: 16)
      else { continue }
      starts[file] = min(starts[file] ?? .max, start)
    }
    files = starts.map { ($0.value, $0.key) }.sorted { $0.start < $1.start }
  }

  /// The same place in the memory of the calling process; nil if it was not loaded from a file there, or cannot be read.
  ///
  /// - Complexity: O(log *n*) in the number of files.
  func translate(_ address: UInt, to own: AddressMap) -> UInt? {
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      if files[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, let ownStart = own.starts[files[low - 1].file] else { return nil }
    // The parts of a file lie apart in each process alike.
    let place = address - files[low - 1].start &+ ownStart
    return playground_agent_isLoaded(place, ownStart) ? place : nil
  }
}
