import AsyncRuntime
import Testing

@Suite struct PriorityTests {
  @Test func `a higher priority is greater`() {
    let sorted: [Priority] = [-200, .low, -1, .normal, 7, .high, 200]
    #expect(sorted.shuffled().sorted() == sorted)
    #expect([Priority.low, .normal, .high].map(\.rawValue) == [-100, 0, 100])
  }

  @Test func `the sign decides which of three priorities a queue uses`() {
    let priorities: [Priority] = [Priority(Int.min), -1, 0, 1, Priority(Int.max)]
    #expect(priorities.map(\.level) == [.low, .low, .normal, .high, .high])
    #expect(Priority.Level.allCases == [.low, .normal, .high])
    #expect(Priority.Level.allCases.sorted() == Priority.Level.allCases)
  }
}
