internal import AsyncPatterns
internal import TimingTrace

extension EdgeRecord {
  /// The attribute of a link that says which kind of edge it is.
  static let attribute = "edge.kind"
}

extension EdgeRecord.Kind {
  /// The edge that follows from a cause; nil if none does.
  init?(_ cause: Cause) {
    switch cause.kind {
    case .end: self = .dependency
    case .permit: self = .permitFrom
    case .wakeUp: self = .woke
    case .parent: self = .spawned
    case .itself, .timer, .lane, .cancellation: return nil
    }
  }

  /// Happens to the other span of such an edge.
  var cause: Cause.Kind {
    switch self {
    case .dependency, .resolvedBy: .end
    case .permitFrom: .permit
    case .woke: .wakeUp
    case .spawned: .parent
    }
  }
}
