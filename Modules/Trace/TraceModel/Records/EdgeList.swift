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
