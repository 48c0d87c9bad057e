/// What was measured beside several peers, as a table.
public struct Ranking: Sendable {
  /// Somebody else who does the same.
  public struct Peer: Sendable {
    public var name: String
    public var time: Duration
    /// How many times its time is taken: the median of the rounds' ratios. Whatever slows the machine down
    /// for a while slows both of a round down, so that these differ less than the times.
    public var ratio: Double
    /// How many times it may be at most.
    public var target: Double?

    public var isMissed: Bool { target.map { ratio > $0 } ?? false }
  }

  public var what: String
  public var name: String
  public var measured: Duration
  public var peers: [Peer]

  /// - Parameters:
  ///   - times: round by round, of whoever is measured, which is the first, and then of its peers.
  ///   - count: how many times each did it in a round.
  ///   - targets: how many times the time of the peers of these names may be taken at most.
  public init(
    _ what: String, _ times: [(name: String, times: [Duration])], count: Int,
    targets: [String: Double] = [:]
  ) {
    self.what = what
    name = times[0].name
    measured = times[0].times.median / count
    peers = times.dropFirst().map { peer in
      Peer(
        name: peer.name, time: peer.times.median / count,
        ratio: zip(times[0].times, peer.times).map { $0 / $1 }.median, target: targets[peer.name])
    }
  }

  public var isMissed: Bool { peers.contains(where: \.isMissed) }
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
        "  ·  at most \(hundredths($0)) ×: \(peer.isMissed ? "MISSED" : "kept")"
      }
      return line(peer.name, peer.time) + "  ·  \(hundredths(peer.ratio)) ×" + (target ?? "")
    }
    return ([what, line(name, measured)] + lines).joined(separator: "\n")
  }
}
