import Testing

@testable import OperationGraph

@Suite struct SparseListTests {
  @Test func `a sparse list behaves like a dictionary`() {
    for seed: UInt64 in 1...50 {
      var random = SeededGenerator(seed: seed)
      var list = SparseList<Int>()
      var expected: [Int32: Int] = [:]
      for number in 0..<200 {
        let index = Int32.random(in: 0...60, using: &random)
        let element = Int.random(in: 0...3, using: &random) == 0 ? nil : number
        list[index] = element
        expected[index] = element
      }
      #expect((0...60).map { list[$0] } == (0...60).map { expected[$0] })
      #expect(list.indices == expected.keys.sorted())
      #expect(list.isEmpty == expected.isEmpty)
    }
  }
}
