/// A measured time, with the time of a peer and a target.
public struct Figure: Sendable {
  public var what: String
  public var measured: Duration
  public var peer: (name: String, time: Duration)?
  public var target: Duration?

  public init(
    _ what: String, _ measured: Duration, peer: (name: String, time: Duration)? = nil,
    target: Duration? = nil
  ) {
    self.what = what
    self.measured = measured
    self.peer = peer
    self.target = target
  }

  public var isMissed: Bool { target.map { measured > $0 } ?? false }
}

extension Figure: CustomStringConvertible {
  public var description: String {
    var parts = ["\(what): \(measured.figure)"]
    if let peer {
      let ratio = measured / peer.time
      parts.append("\(hundredths(ratio)) × \(peer.name), \(peer.time.figure)")
    }
    if let target { parts.append("at most \(target.figure): \(isMissed ? "MISSED" : "kept")") }
    return parts.joined(separator: "  ·  ")
  }
}

extension Duration {
  /// The time in a suitable unit, with about three digits.
  var figure: String {
    let nanoseconds = self / .nanoseconds(1)
    return switch abs(nanoseconds) {
    case ..<1e3: "\(hundredths(nanoseconds)) ns"
    case ..<1e6: "\(hundredths(nanoseconds / 1e3)) µs"
    case ..<1e9: "\(hundredths(nanoseconds / 1e6)) ms"
    default: "\(hundredths(nanoseconds / 1e9)) s"
    }
  }
}

func hundredths(_ number: Double) -> String { String((number * 100).rounded() / 100) }
