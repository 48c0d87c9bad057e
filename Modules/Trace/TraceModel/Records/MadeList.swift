/// A list of a record, or a function that makes it. Such a list can have millions of elements, and few readers of a
/// record need it.
package enum MadeList<Element: Sendable & Hashable>: Sendable, Hashable {
  case listed([Element])
  case made(@Sendable () -> [Element])

  package var all: [Element] {
    switch self {
    case .listed(let elements): elements
    case .made(let make): make()
    }
  }

  package static func == (left: Self, right: Self) -> Bool { left.all == right.all }
  package func hash(into hasher: inout Hasher) { hasher.combine(all) }
}
