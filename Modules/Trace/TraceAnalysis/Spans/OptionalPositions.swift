/// For each element of one list, a position in another list, or nil. An entry takes four bytes.
package struct OptionalPositions: Sendable {
  private var positions: [CompactOptional<Int32>] = []

  /// - Parameter count: the number of entries, which are all nil.
  package init(count: Int = 0) { positions = Array(repeating: CompactOptional(), count: count) }

  var count: Int { positions.count }

  package subscript(index: Int) -> Int? {
    get { positions[index].position }
    set { positions[index].position = newValue }
  }

  /// Appends nils until there are at least `count` entries.
  mutating func extend(to count: Int) {
    guard count > positions.count else { return }
    positions.append(
      contentsOf: repeatElement(CompactOptional(), count: count - positions.count))
  }
}
