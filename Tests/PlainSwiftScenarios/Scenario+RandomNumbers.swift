import AsyncSimulation
import Foundation

extension Scenario {
  static let randomNumbers = [
    Scenario("random numbers are drawn by tasks in any order", outcomes: nil) {
      let journal = Journal()
      await withTaskGroup(of: Void.self) { group in
        for name in ["a", "b"] {
          group.addTask {
            var generator = SystemRandomNumberGenerator()
            journal.note("\(name)\(Int.random(in: 0..<1_000_000)) \(generator.next())")
            await Task.yield()
            journal.note("\([1, 2, 3, 4, 5].shuffled()) \(Double.random(in: 0..<1)) \(UUID())")
          }
        }
      }
      return journal.text
    },
    Scenario("random pauses decide which task is first", outcomes: nil) {
      let journal = Journal()
      try await withThrowingTaskGroup { group in
        for name in ["a", "b", "c"] {
          group.addTask {
            try await Task.sleep(for: .milliseconds(Int.random(in: 1...1_000)))
            journal.note(name)
          }
        }
        try await group.waitForAll()
      }
      return journal.text
    },
  ]
}
