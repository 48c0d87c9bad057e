import AsyncPatterns
import AsyncSimulation
import OperationGraph
import OperationGraphPatterns
import Testing

/// Tests the patterns that show a fault, and those that fix it.
@Suite struct GroupTrapTests {
  @Test func `the naive group notifies before asynchronous steps have completed`() throws {
    let steps: [Step] = [
      .sleep("a", .ms(10)), .value("b", .integer(2)), .sleep("c", .ms(20)),
    ]
    let outcome = try simulate("group.naive", steps, input: .integer(7))
    // The value of b existed when its start returned. The values of the others did not.
    #expect(outcome.value == .list([.none, .integer(2), .none]))
    #expect(outcome.recording.times(.finished) == ["b@0", "whole@0", "a@10", "c@20"])
    let right = try simulate("group", steps, input: .integer(7))
    #expect(right.value == .list([.integer(7), .integer(2), .integer(7)]))
    #expect(right.recording.times(.finished).last == "whole@20")
  }

  @Test func `with only synchronous steps the naive group is correct`() throws {
    let steps = (1...5).map { increment("s-\($0)") }
    let outcome = try simulate("group.naive", steps, input: .integer(1))
    #expect(outcome.value == .list(Array(repeating: .integer(2), count: 5)))
    #expect(outcome.recording.times(.finished).last == "whole@0")
  }

  @Test func `a failure after the notification is lost`() throws {
    let late = Step("late") { _, scope, completion in
      scope.runtime.pool.schedule(after: .ms(5)) { completion(.failure(StepFailure("lost"))) }
    }
    #expect(try simulate("group.naive", [late]).error == nil)
    #expect(try simulate("group", [late]).error is StepFailure)
  }

  @Test(arguments: [1, 2, 3])
  func `the semaphore limits running steps and blocks the caller`(
    _ width: Int
  ) throws {
    for seed: UInt64 in 0..<10 {
      let steps = (1...7).map { Step.sleep("s-\($0)", .ms($0 * 7 % 5 + 1)) }
      let outcome = try simulate("bounded.semaphore", steps, width: width, seed: seed)
      #expect(outcome.recording.mostConcurrent == width)
      #expect(outcome.value == .list(Array(repeating: .none, count: 7)))
      let blocked = outcome.recording.events.filter { $0.kind == .blocked }
      let whole = outcome.recording.events.first { $0.kind == .submitted }?.span
      #expect(!blocked.isEmpty && blocked.allSatisfy { $0.span == whole })
    }
  }

  @Test func `a step that completes twice gives the semaphore two permits`() throws {
    let steps: [Step] = [
      .twice("a", .ms(5)), .sleep("b", .ms(20)), .sleep("c", .ms(20)), .sleep("d", .ms(20)),
    ]
    let outcome = try simulate("bounded.semaphore", steps, width: 1)
    #expect(outcome.recording.mostConcurrent == 2)
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@5", "c@10", "d@25"])
    #expect(outcome.results.count == 1)
    #expect(try simulate("bounded", steps, width: 1).recording.mostConcurrent == 1)
  }

  @Test func `as many callers as workers deadlock if the steps need a worker`() throws {
    let inner = try #require(
      OperationGraphPlugin.patterns.first { $0.manual.name == "bounded.semaphore" })
    let pattern = try inner.init(["width": .integer(1)])
    let callers = (1...2).map { number in
      Step(
        "caller-\(number)", pattern: pattern,
        steps: [.work("\(number).a", .ms(5)), .work("\(number).b", .ms(5))])
    }
    // The only worker is blocked by a caller, so no worker is left for the steps.
    #expect(try simulate("group", callers, workers: 1).results.isEmpty)
    #expect(try simulate("group", callers, workers: 4).results.count == 1)
  }

  @Test func `cancelling starts no more steps and ends the wait for the semaphore`() throws {
    let steps: [Step] = (1...4).map { .never("s-\($0)") }
    let outcome = try simulate("bounded.semaphore", steps, width: 2, cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.started) == ["whole@0", "s-1@0", "s-2@0"])
  }
}
