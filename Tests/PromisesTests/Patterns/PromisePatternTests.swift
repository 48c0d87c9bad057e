import AsyncSimulation
import PatternTesting
import PromisesPatterns
import Testing

@Suite struct PromisePatternTests {
  @Test func `steps start and end in order`() throws {
    let outcome = try simulate(
      "promise", [.sleep("a", .ms(20)), .work("b", .ms(5)), .sleep("c", .ms(10))])
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@20", "c@25"])
    #expect(outcome.recording.times(.finished) == ["a@20", "b@25", "c@35", "whole@35"])
    #expect(outcome.results.count == 1)
  }

  @Test func `each value is the next input, and links are causes in the trace`() throws {
    let outcome = try simulate(
      "promise", ["a", "b", "c"].map { increment($0) }, input: .integer(4))
    #expect(outcome.value == .integer(7))
    let starts = outcome.recording.events.filter { $0.kind == .started && $0.cause.kind == .end }
    #expect(starts.map { [$0.cause.span.id, $0.span.id] } == [[2, 3], [3, 4]])
  }

  @Test func `without steps the input is the result`() throws {
    #expect(try simulate("promise", [], input: .integer(4)).value == .integer(4))
  }

  @Test func `a failure skips to the end`() throws {
    let outcome = try simulate(
      "promise", [.sleep("a", .ms(1)), .fail("b", "no such page"), .sleep("c", .ms(1))])
    #expect(outcome.error as? StepFailure == StepFailure("no such page"))
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@1"])
  }

  @Test func `cancelling prevents further starts`() throws {
    let outcome = try simulate(
      "promise", [.sleep("a", .ms(20)), .sleep("b", .ms(20))], cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0"])
  }

  @Test func `a step that never ends can be cancelled`() throws {
    let steps: [Step] = [.never("a"), .sleep("b", .ms(20))]
    #expect(try simulate("promise", steps).results.isEmpty)
    let outcome = try simulate("promise", steps, cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.finished) == ["a@5", "whole@5"])
  }

  @Test func `a dropped completion fails the step`() throws {
    let outcome = try simulate("promise", [Step("forgetful") { _, _, _ in }])
    #expect(outcome.error as? CompletionDropped == CompletionDropped(step: "forgetful"))
    #expect(outcome.recording.misuse == ["completion-dropped"])
  }

  @Test func `a second completion has no effect`() throws {
    let outcome = try simulate(
      "promise", [.twice("a", .ms(20)), .sleep("b", .ms(50)), .sleep("c", .ms(50))])
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@20", "c@70"])
    #expect(outcome.recording.times(.finished) == ["a@20", "b@70", "c@120", "whole@120"])
    #expect(outcome.recording.misuse == ["completed-twice"])
  }

  @Test(.unlessThreadSanitized) func `steps that complete immediately cost no hop and no stack`()
    throws
  {
    let steps = [Step.value("first", .integer(0))] + (1..<100_000).map { increment("s-\($0)") }
    let outcome = try simulate("promise", steps)
    #expect(outcome.value == .integer(99_999))
    #expect(Set(outcome.recording.events.filter { $0.kind == .started }.map(\.lane)).count == 1)
  }
}
