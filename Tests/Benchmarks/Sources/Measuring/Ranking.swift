/// What was measured beside several peers, as a table.
public struct Ranking: Sendable {
  /// Somebody else who does the same.
  public struct Peer: Sendable {
    public var name: String
    public var time: Duration
    /// How many times its time may be taken at most.
    public var target: Double?
  }

  public var what: String
  public var name: String
  public var measured: Duration
  public var peers: [Peer]

  /// - Parameters:
  ///   - times: of whoever is measured, which is the first, and then of its peers.
  ///   - targets: how many times the time of the peers of these names may be taken at most.
  public init(
    _ what: String, _ times: [(name: String, time: Duration)], targets: [String: Double] = [:]
  ) {
    self.what = what
    name = times[0].name
    measured = times[0].time
    peers = times.dropFirst().map {
      Peer(name: $0.name, time: $0.time, target: targets[$0.name])
    }
  }

  public var isMissed: Bool { peers.contains(where: isMissed) }

  private func isMissed(_ peer: Peer) -> Bool {
    peer.target.map { measured / peer.time > $0 } ?? false
  }
}

extension Ranking: CustomStringConvertible {
  public var description: String {
    let width = ([name] + peers.map(\.name)).map(\.count).max() ?? 0
    func line(_ name: String, _ time: Duration) -> String {
      let figure = time.figure
      return "  " + name + String(repeating: " ", count: width - name.count)
        + String(repeating: " ", count: max(12 - figure.count, 1)) + figure
    }
    let lines = peers.map { peer in
      let target = peer.target.map {
        "  ·  at most \(hundredths($0)) ×: \(isMissed(peer) ? "MISSED" : "kept")"
      }
      return line(peer.name, peer.time) + "  ·  \(hundredths(measured / peer.time)) ×"
        + (target ?? "")
    }
    return ([what, line(name, measured)] + lines).joined(separator: "\n")
  }
}
