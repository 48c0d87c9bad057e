#if canImport(Glibc)
  import Glibc
#endif

/// The arguments of the program, before its `main`.
///
/// In a program that contains Swift's libraries, `CommandLine` does not know the arguments yet. If it were read now, it
/// would never know them.
enum ProgramArguments {
  static let all: [String] = {
    let file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 1) { buffer in
      while case let count = read(file, buffer.baseAddress, buffer.count), count > 0 {
        bytes += buffer[..<count]
      }
    }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }()

  /// The name of the program's file.
  static var programName: String {
    all.first?.split(separator: "/").last.map(String.init) ?? "program"
  }
}
