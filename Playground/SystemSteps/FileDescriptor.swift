import AsyncPatterns
import FileWriting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system calls for files. Their errors name the path and the reason.
enum FileDescriptor {
  private static let chunk = 1 << 20

  /// Opens a file with a descriptor that child processes do not inherit. Returns a negative number and sets `errno` if
  /// it fails.
  static func open(_ path: String, _ flags: CInt, mode: mode_t = 0) -> CInt {
    systemOpen(path, flags | O_CLOEXEC, mode)
  }

  /// A pipe whose descriptors child processes do not inherit.
  static func pipe() throws -> (readEnd: CInt, writeEnd: CInt) {
    var ends: [CInt] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw StepFailure("cannot open a pipe: \(systemError())") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Writes all of `bytes`, unless the task is cancelled in the meantime.
  static func write(_ bytes: Data, to descriptor: CInt, _ path: String) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let part = rest.prefix(chunk)
      if let code = writeAll(part, to: descriptor) { throw writingFailure(path, code) }
      rest = rest.dropFirst(part.count)
    }
  }

  /// Reads to the end. Throws if the task is cancelled in the meantime, or if there are more than `limit` bytes.
  static func readAll(_ descriptor: CInt, upTo limit: Int, _ path: String) throws -> Data {
    var data = Data()
    while true {
      try Task.checkCancellation()
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, initialized in
        count = systemRead(descriptor, buffer.baseAddress, buffer.count)
        initialized = max(count, 0)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StepFailure("\(path): \(systemError())") }
      if count == 0 { return data }
      data.append(contentsOf: bytes)
      guard data.count <= limit else {
        throw StepFailure(
          "\(path): it is longer than \(limit >> 20) MB; read a part of it, as in sh \"head -c 1M FILE\""
        )
      }
    }
  }
}

/// The failure for a `path` that cannot be written, with the reason from `errno` or another code.
func writingFailure(_ path: String, _ code: CInt = errno) -> StepFailure {
  StepFailure("\(path): it cannot be written: \(WritingFault.reason(code, at: path))")
}

/// The description of `errno`.
func systemError() -> String {
  errno == EFBIG
    ? "it would be larger than the limit for files (see “ulimit -f”)"
    : String(cString: strerror(errno))
}

private func systemOpen(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
  open(path, flags, mode)
}

private func systemPipe(_ ends: inout [CInt]) -> CInt { pipe(&ends) }

private func systemRead(
  _ descriptor: CInt, _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  read(descriptor, bytes, count)
}
