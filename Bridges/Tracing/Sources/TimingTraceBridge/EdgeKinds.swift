internal import AsyncPatterns
internal import TimingTrace

extension EdgeRecord {
  /// The attribute of a link that says which kind of edge it is.
  static let attribute = "edge.kind"
}

extension EdgeRecord.Kind {
  init(of edge: TraceEvent.Edge) {
    switch edge {
    case .spawned: self = .spawned
    case .dependency: self = .dependency
    case .resolvedBy: self = .resolvedBy
    case .woke: self = .woke
    case .permitFrom: self = .permitFrom
    }
  }
}

extension TraceEvent.Edge {
  init(_ kind: EdgeRecord.Kind) {
    switch kind {
    case .spawned: self = .spawned
    case .dependency: self = .dependency
    case .resolvedBy: self = .resolvedBy
    case .woke: self = .woke
    case .permitFrom: self = .permitFrom
    }
  }
}
