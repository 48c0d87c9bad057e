internal import AsyncPatterns

/// Somebody's end let a step go on.
struct HandOver {
  /// The leaf that finished last of all that had to; a node.
  let from: Int
  /// What it let go on: the step itself, or a pattern that the step is a part of; a node.
  let to: Int
  let reason: Reason

  enum Reason: String, CaseIterable {
    case spawned, dependency
    case resolvedBy = "resolved-by"
    case woke
    case permitFrom = "permit-from"
    /// No edge says why: it waited for its turn, and the other was the last to finish meanwhile.
    case turn

    init(_ edge: TraceEvent.Edge) {
      switch edge {
      case .spawned: self = .spawned
      case .dependency: self = .dependency
      case .resolvedBy: self = .resolvedBy
      case .woke: self = .woke
      case .permitFrom: self = .permitFrom
      }
    }

    /// What it is called beside an arrow.
    var words: String {
      switch self {
      case .spawned: "started by it"
      case .dependency: "dependency"
      case .resolvedBy: "resolved by it"
      case .woke: "thread woken"
      case .permitFrom: "permit handed on"
      case .turn: "its turn"
      }
    }
  }
}
