/// An edge: one step let another continue. A step is named by its label if that is unique, otherwise by its path. The
/// run's own step is named by its label.
public struct EdgeRecord: Sendable, Hashable {
  public var from: String
  public var to: String
  public var kind: Kind

  public init(from: String, to: String, kind: Kind) {
    self.from = from
    self.to = to
    self.kind = kind
  }

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case spawned, dependency
    case resolvedBy = "resolved-by"
    case woke
    case permitFrom = "permit-from"
  }
}

/// The edges of a record: a list, or a function that makes it. A run can have millions of edges, and few readers of its
/// record need their names.
package enum EdgeList: Sendable, Hashable {
  case listed([EdgeRecord])
  case made(@Sendable () -> [EdgeRecord])

  package var all: [EdgeRecord] {
    switch self {
    case .listed(let edges): edges
    case .made(let make): make()
    }
  }

  package static func == (left: EdgeList, right: EdgeList) -> Bool { left.all == right.all }
  package func hash(into hasher: inout Hasher) { hasher.combine(all) }
}
