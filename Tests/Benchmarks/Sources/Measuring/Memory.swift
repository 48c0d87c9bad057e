import Foundation

/// The resident memory of the calling process, in bytes.
public var residentBytes: Int {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
    return 0
  }
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
  return (Int(line.filter(\.isNumber)) ?? 0) * 1024
}
