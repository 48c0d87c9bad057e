import Foundation

/// A measured amount of memory, with that of a peer and a target, all in bytes.
public struct MemoryFigure: Sendable {
  public var what: String
  public var measured: Int
  public var peer: (name: String, bytes: Int)?
  public var target: Int?

  public init(
    _ what: String, _ measured: Int, peer: (name: String, bytes: Int)? = nil, target: Int? = nil
  ) {
    self.what = what
    self.measured = measured
    self.peer = peer
    self.target = target
  }

  public var isMissed: Bool { target.map { measured > $0 } ?? false }

  /// The resident memory of the calling process.
  public static var residentBytes: Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return 0
    }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) * 1024
  }
}

extension MemoryFigure: CustomStringConvertible {
  public var description: String {
    var parts = ["\(what): \(measured.megabytes)"]
    if let peer {
      parts.append(
        "\(hundredths(Double(measured) / Double(peer.bytes))) × \(peer.name), "
          + peer.bytes.megabytes)
    }
    if let target { parts.append("at most \(target.megabytes): \(isMissed ? "MISSED" : "kept")") }
    return parts.joined(separator: "  ·  ")
  }
}

extension Int {
  fileprivate var megabytes: String { hundredths(Double(self) / 1e6) + " MB" }
}
