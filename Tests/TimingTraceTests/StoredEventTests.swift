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
    let rest = [
      Layout.offset(of: \.since), Layout.offset(of: \.number), Layout.offset(of: \.name),
      Layout.offset(of: \.detail),
    ]
    #expect(rest.compactMap(\.self).min() == StoredEvent.headSize)
    #expect(StoredEvent.largestSize == 88)
  }
}
