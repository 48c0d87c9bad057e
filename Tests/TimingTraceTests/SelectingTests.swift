import Testing
import TraceBasics

@Suite struct SelectingTests {
  @Test func `the element at a position is that of the sorted array`() {
    var random = SystemRandomNumberGenerator()
    var arrays = (1...200).map { count in
      (0..<count).map { _ in Int.random(in: 0..<max(count / 3, 1), using: &random) }
    }
    arrays += [Array(0..<1000), (0..<1000).reversed(), Array(repeating: 7, count: 1000)]
    for array in arrays {
      let sorted = array.sorted()
      for position in stride(from: 0, to: array.count, by: max(array.count / 7, 1)) {
        var changed = array
        #expect(changed.select(position) == sorted[position])
        #expect(changed.sorted() == sorted)
      }
    }
  }

  /// For each round, the pivot is the smallest element that is left, so that a round removes only that element.
  @Test func `the element is right even if each round removes only one`() {
    let count = 20_000
    var places = Array(0..<count)
    var array = Array(repeating: 0, count: count)
    for value in 0..<count {
      let middle = value + (count - 1 - value) / 2
      array[places[middle]] = value
      places.swapAt(value, middle)
    }
    #expect(array.select(count - 1) == count - 1)
  }
}
