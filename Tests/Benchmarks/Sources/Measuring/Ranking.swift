/// A measured time compared with several peers, as a table.
public struct Ranking: Sendable {
  /// Another implementation of the same work.
  public struct Peer: Sendable {
    public var name: String
    public var time: Duration
    /// The time divided by the peer's time: the median of the ratios of all rounds. A disturbance of the machine slows
    /// both implementations of a round down, so the ratios vary less than the times.
    public var ratio: Double
    /// The maximum ratio.
    public var target: Double?

    public var isMissed: Bool { target.map { ratio > $0 } ?? false }
  }

  public var what: String
  public var name: String
  public var measured: Duration
  public var peers: [Peer]

  /// - Parameters:
  ///   - times: the times round by round, first of the measured implementation, then of its peers.
  ///   - count: how many times each implementation does the work in a round.
  ///   - targets: the maximum ratios to the peers of these names.
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

}

extension Ranking: Measurement {
  public var isMissed: Bool { peers.contains(where: \.isMissed) }

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

  public var rows: [Row] {
    peers.indices.map { index in
      let peer = peers[index]
      return Row(
        what: index == 0 ? what : "", measured: index == 0 ? measured.figure : "",
        peer: peer.name, peerMeasured: peer.time.figure, ratio: hundredths(peer.ratio) + " ×",
        target: peer.target.map { hundredths($0) + " ×" } ?? "", isMissed: peer.isMissed)
    }
  }
}
