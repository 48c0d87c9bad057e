/// The priorities of steps.
///
/// A pattern with priorities marks each step that was given one. A step without a mark has normal priority.
struct Priorities {
  enum Priority: Int, Comparable {
    case low, normal, high

    init?(_ role: TraceEvent.Role) {
      switch role {
      case .lowPriority: self = .low
      case .normalPriority: self = .normal
      case .highPriority: self = .high
      default: return nil
      }
    }

    static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
  }

  /// The given priorities, by pattern and label.
  private(set) var given: [Int: [String: Priority]] = [:]

  mutating func note(_ mark: TraceEvent, of node: Int) {
    guard let priority = Priority(mark.role) else { return }
    given[node, default: [:]][mark.detail] = priority
  }
}
