import CPlaygroundAgent

#if canImport(Glibc)
  import Glibc
#endif

/// The addresses at which a process has loaded its files.
///
/// Two maps translate an address of one process into an address of another.
struct AddressMap {
  /// The lowest address of each file.
  private var starts: [Substring: UInt] = [:]
  /// The same files, sorted by their addresses.
  private var files: [(start: UInt, file: Substring)] = []

  /// The map of the calling process.
  static var own: AddressMap { AddressMap(text: ownText) }

  /// The memory map of the calling process, as the system writes it; empty if it cannot be read.
  static var ownText: String {
    let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    // This file has no size, and each call reads a part of it.
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while case let count = read(file, buffer.baseAddress, buffer.count), count > 0 {
        bytes += buffer[..<count]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Parameter text: a memory map in the format of ``ownText``.
  init(text: String) {
    for line in text.split(separator: "\n") {
      guard let file = line.firstIndex(of: "/").map({ line[$0...] }),
        let end = line.firstIndex(of: "-"), let start = UInt(line[..<end], radix: 16)
      else { continue }
      starts[file] = min(starts[file] ?? .max, start)
    }
    files = starts.map { ($0.value, $0.key) }.sorted { $0.start < $1.start }
  }

  /// Translates an address of this map into an address of the calling process.
  ///
  /// - Parameter own: the map of the calling process.
  /// - Returns: nil if the address belongs to no file that is loaded there, or cannot be read.
  /// - Complexity: O(log *n*) in the number of files.
  func translate(_ address: UInt, to own: AddressMap) -> UInt? {
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      if files[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, let ownStart = own.starts[files[low - 1].file] else { return nil }
    // Each process loads the parts of a file at the same distances from each other.
    let place = address - files[low - 1].start &+ ownStart
    return playground_agent_isLoaded(place, ownStart) ? place : nil
  }
}
