import Foundation

/// The resident memory of this process.
public var residentBytes: Int {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
}

/// The memory that this process uses: its resident memory, or, under AddressSanitizer, its allocated memory.
/// AddressSanitizer keeps freed memory resident for a while.
public var usedBytes: Int {
  guard let symbol = dlsym(nil, "__sanitizer_get_current_allocated_bytes") else {
    return residentBytes
  }
  let allocatedBytes = unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
  return allocatedBytes()
}

/// The peak of the resident memory of this process.
public var peakBytes: Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return (peak?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
    * 1_024
}
