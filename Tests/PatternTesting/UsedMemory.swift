import Foundation

/// How much memory of this process is resident now.
public var residentBytes: Int {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
}

/// Whether the process runs under ThreadSanitizer, where everything takes ten times as long.
public var isThreadSanitized: Bool { dlsym(nil, "__tsan_init") != nil }

/// How much memory this process uses now: what is resident, or, under AddressSanitizer, which keeps what was given
/// back for a while, what has been asked for and not given back.
public var usedBytes: Int {
  guard let symbol = dlsym(nil, "__sanitizer_get_current_allocated_bytes") else {
    return residentBytes
  }
  let allocatedBytes = unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
  return allocatedBytes()
}

/// The most memory of this process that has been resident at once.
public var peakBytes: Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return (peak?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
    * 1_024
}
