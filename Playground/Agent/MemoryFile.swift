import CPlaygroundAgent

#if canImport(Glibc)
  import Glibc
#endif

/// A file in memory that a process shares with its copies.
struct MemoryFile {
  let descriptor: Int32

  init(_ name: String) { descriptor = playground_agent_memoryFile(name) }

  func clear() {
    ftruncate(descriptor, 0)
    lseek(descriptor, 0, SEEK_SET)
  }

  /// All bytes that have been written; empty if they cannot be read.
  var bytes: [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    guard count > 0 else { return [] }
    return Array(unsafeUninitializedCapacity: count) { bytes, written in
      written = max(pread(descriptor, bytes.baseAddress, count, 0), 0)
    }
  }
}
