import AsyncPatterns
import Testing

@testable import TraceModel

@Suite struct StoredEventTests {
  @Test func `the properties that every event has come first`() {
    typealias Layout = MemoryLayout<TraceEvent>
    let first = [
      Layout.offset(of: \.kind), Layout.offset(of: \.outcome), Layout.offset(of: \.role),
      Layout.offset(of: \.awaitsAll), Layout.offset(of: \.lane), Layout.offset(of: \.time),
      Layout.offset(of: \.span), Layout.offset(of: \.parent), Layout.offset(of: \.cause),
      Layout.offset(of: \.after),
    ]
    #expect(first.allSatisfy { $0 ?? .max < StoredEvent.headSize })
    let numbers = [Layout.offset(of: \.since), Layout.offset(of: \.number)]
    #expect(numbers == [32, 40] && StoredEvent.headSize == 32)
    let names = [Layout.offset(of: \.name), Layout.offset(of: \.detail)]
    #expect(names == [48, 64] && StoredEvent.numbersSize == 16 && StoredEvent.namesSize == 32)
    #expect(StoredEvent.largestSize == 88)
  }
}
