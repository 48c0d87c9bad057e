import AsyncPatterns
import SerialQueuePatterns
import Testing

/// The pattern `serial` on the live clock, where several threads end its steps at the same time.
@Suite struct SerialPatternLiveTests {
  @Test(arguments: [2, 3, 8], [100, 1_000])
  func `with a width the result contains the value of every step`(
    width: Int, count: Int
  ) async throws {
    let type = try #require(
      SerialQueuePlugin.patterns.first { $0.manual.name == "serial" })
    let runtime = LiveRuntime(workers: 4)
    let steps = (0..<count).map { number in
      Step("s-\(number)") { _, scope, completion in
        scope.runtime.pool.schedule { completion(.success(.integer(number))) }
      }
    }
    for _ in 1...20 {
      var arguments = Arguments()
      arguments["width"] = .integer(width)
      let whole = Step("whole", pattern: try type.init(arguments), steps: steps)
      let result = await withCheckedContinuation { continuation in
        Run(whole, on: runtime) { continuation.resume(returning: $0) }
      }
      #expect(try result.get() == .list((0..<count).map { .integer($0) }))
    }
  }
}
