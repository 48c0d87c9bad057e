/// Positions of steps among those of a record. A position takes four bytes, because a row can have millions of steps.
package struct StepPositions: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
  @usableFromInline var positions: [Int32]

  @inlinable package init(arrayLiteral elements: Int...) {
    positions = elements.map { Int32(clamping: $0) }
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { positions.count }

  @inlinable package subscript(index: Int) -> Int { Int(positions[index]) }

  // The default iterator calls the functions of the collection through its protocol.
  @inlinable package func makeIterator() -> LazyMapSequence<[Int32], Int>.Iterator {
    positions.lazy.map { Int($0) }.makeIterator()
  }

  @inlinable package mutating func append(_ position: Int) {
    positions.append(Int32(clamping: position))
  }
}
