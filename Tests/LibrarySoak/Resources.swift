import Foundation

/// Memory and descriptors of this process.
struct Resources: Sendable {
  /// Resident memory in bytes.
  var memory: Int
  var descriptors: Int

  static let none = Resources(memory: 0, descriptors: 0)

  static func used() -> Resources {
    let fields =
      (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ") ?? []
    let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return Resources(memory: pages * sysconf(Int32(_SC_PAGESIZE)), descriptors: names.count)
  }

  func largest(_ other: Resources) -> Resources {
    Resources(
      memory: max(memory, other.memory), descriptors: max(descriptors, other.descriptors))
  }
}
