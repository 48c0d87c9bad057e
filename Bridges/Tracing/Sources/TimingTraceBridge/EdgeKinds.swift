internal import AsyncPatterns
internal import TimingTrace

extension EdgeRecord {
  /// The attribute of a link that contains the kind of the edge.
  static let attribute = "edge.kind"
}

extension EdgeRecord.Kind {
  /// The kind of edge that follows from a cause, or nil if none does.
  init?(_ cause: Cause) {
    switch cause.kind {
    case .end: self = .dependency
    case .permit: self = .permitFrom
    case .wakeUp: self = .woke
    case .parent: self = .spawned
    case .itself, .timer, .lane, .cancellation: return nil
    }
  }

  /// The cause that a span records for an edge of this kind that leads to it.
  var cause: Cause.Kind {
    switch self {
    case .dependency, .resolvedBy: .end
    case .permitFrom: .permit
    case .woke: .wakeUp
    case .spawned: .parent
    }
  }
}
