/// A measured amount, with that of a peer and a target.
public struct Figure: Sendable {
  /// The most that a figure may be.
  public enum Target: Sendable {
    case amount(Amount)
    /// So many times the amount of the peer.
    case ratio(Double)
  }

  public var what: String
  public var measured: Amount
  public var peer: (name: String, amount: Amount)?
  public var target: Target?

  /// - Precondition: A target that is a ratio has a peer.
  public init(
    _ what: String, _ measured: Amount, peer: (name: String, amount: Amount)? = nil,
    target: Target? = nil
  ) {
    if case .ratio? = target { precondition(peer != nil, "a ratio needs a peer") }
    self.what = what
    self.measured = measured
    self.peer = peer
    self.target = target
  }

  /// The figure of a time.
  public init(
    _ what: String, _ time: Duration, peer: (name: String, time: Duration)? = nil,
    target: Duration? = nil
  ) {
    self.init(
      what, .time(time), peer: peer.map { ($0.name, .time($0.time)) },
      target: target.map { .amount(.time($0)) })
  }

  /// The figure of a time, which may be at most so many times that of the peer.
  public init(
    _ what: String, _ time: Duration, peer: (name: String, time: Duration), ratio: Double
  ) {
    self.init(what, .time(time), peer: (peer.name, .time(peer.time)), target: .ratio(ratio))
  }

  private var ratio: Double? { peer.map { measured / $0.amount } }
}

extension Figure: Measurement {
  public var isMissed: Bool {
    switch target {
    case .amount(let most): measured.number > most.number
    case .ratio(let most): ratio.map { $0 > most } ?? false
    case nil: false
    }
  }

  private var limit: String? {
    switch target {
    case .amount(let most): "\(most)"
    case .ratio(let most): "\(hundredths(most)) ×"
    case nil: nil
    }
  }

  public var description: String {
    var parts = ["\(what): \(measured)"]
    if let peer, let ratio {
      parts.append("\(hundredths(ratio)) × \(peer.name), \(peer.amount)")
    }
    if let limit { parts.append("at most \(limit): \(isMissed ? "MISSED" : "kept")") }
    return parts.joined(separator: "  ·  ")
  }

  public var rows: [Row] {
    [
      Row(
        what: what, measured: "\(measured)", peer: peer?.name ?? "",
        peerMeasured: peer.map { "\($0.amount)" } ?? "",
        ratio: ratio.map { hundredths($0) + " ×" } ?? "", target: limit ?? "", isMissed: isMissed)
    ]
  }
}
