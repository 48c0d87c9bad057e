import AsyncSimulation
import PatternTesting
import SerialQueue
import SerialQueuePatterns
import Testing

/// Checks the guarantees of all serial patterns.
@Suite struct SerialPatternTests {
  static let all = ["serial", "serial.chain", "serial.nested", "serial.semaphore"]

  @Test(arguments: all) func `steps start and end in order`(_ pattern: String) throws {
    let outcome = try simulate(
      pattern, [.sleep("a", .ms(20)), .work("b", .ms(5)), .sleep("c", .ms(10))])
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@20", "c@25"])
    #expect(outcome.recording.times(.finished) == ["a@20", "b@25", "c@35", "whole@35"])
    #expect(outcome.results.count == 1)
  }

  @Test func `a step's end gives its permit to the next, and in a sequence it causes its start`()
    throws
  {
    for (width, kind) in [(1, Cause.Kind.end), (2, .permit)] {
      let outcome = try simulate(
        "serial", [.sleep("a", .ms(10)), .sleep("b", .ms(20)), .sleep("c", .ms(5))],
        with: ["width": .integer(width)])
      let events = outcome.recording.events
      let spans = Dictionary(
        uniqueKeysWithValues: events.filter { $0.kind == .submitted }.map { ($0.name, $0.span) })
      let start = try #require(events.first { $0.kind == .started && $0.span == spans["c"] })
      #expect(start.cause.kind == kind)
      #expect(start.cause.span == spans[width == 1 ? "b" : "a"])
    }
  }

  @Test(arguments: all) func `each value is the next input`(_ pattern: String) throws {
    let outcome = try simulate(
      pattern, ["a", "b", "c"].map { increment($0) }, input: .integer(4))
    #expect(outcome.value == .integer(7))
  }

  @Test(arguments: all) func `without steps the input is the result`(_ pattern: String) throws {
    #expect(try simulate(pattern, [], input: .integer(4)).value == .integer(4))
  }

  @Test(arguments: all) func `a failure skips the rest`(_ pattern: String) throws {
    let outcome = try simulate(
      pattern, [.sleep("a", .ms(1)), .fail("b", "no such page"), .sleep("c", .ms(1))])
    #expect(outcome.error as? StepFailure == StepFailure("no such page"))
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@1"])
  }

  @Test(arguments: all) func `cancelling starts nothing more`(_ pattern: String) throws {
    let outcome = try simulate(
      pattern, [.sleep("a", .ms(20)), .sleep("b", .ms(20))], cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0"])
    #expect(outcome.recording.times(.finished).first == "a@5")
  }

  @Test(arguments: all) func `a step that never ends can be cancelled`(_ pattern: String) throws {
    let steps: [Step] = [.never("a"), .sleep("b", .ms(20))]
    #expect(try simulate(pattern, steps).results.isEmpty)
    let outcome = try simulate(pattern, steps, cancelAt: .ms(5))
    #expect(outcome.error is CancellationError)
    #expect(outcome.recording.times(.finished) == ["a@5", "whole@5"])
  }

  @Test(arguments: all) func `a dropped completion fails the step`(_ pattern: String) throws {
    let outcome = try simulate(
      pattern, [Step("forgetful") { _, _, _ in }, .sleep("b", .ms(20))])
    #expect(outcome.error as? CompletionDropped == CompletionDropped(step: "forgetful"))
    #expect(outcome.recording.misuse == ["completion-dropped"])
  }

  @Test(arguments: ["serial", "serial.chain", "serial.nested"])
  func `a second completion has no effect`(_ pattern: String) throws {
    let outcome = try simulate(
      pattern, [.twice("a", .ms(20)), .sleep("b", .ms(50)), .sleep("c", .ms(50))])
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@20", "c@70"])
    #expect(outcome.recording.times(.finished) == ["a@20", "b@70", "c@120", "whole@120"])
    #expect(outcome.recording.misuse == ["completed-twice"])
  }

  @Test func `a second completion makes two blocking steps overlap`() throws {
    let outcome = try simulate(
      "serial.semaphore", [.twice("a", .ms(20)), .sleep("b", .ms(50)), .sleep("c", .ms(50))])
    // The second completion of a, at 40, signals the semaphore of b, so c starts while b runs. The end of b, at 70,
    // signals the semaphore of c, so the whole completes before c does.
    #expect(outcome.recording.times(.started) == ["whole@0", "a@0", "b@20", "c@40"])
    #expect(outcome.recording.times(.finished) == ["a@20", "b@70", "whole@70", "c@90"])
    #expect(outcome.results.count == 1)
  }

  @Test(arguments: zip(all, [0, 0, 0, 2]))
  func `only the semaphore blocks a thread`(_ pattern: String, _ count: Int) throws {
    let outcome = try simulate(pattern, [.sleep("a", .ms(20)), .sleep("b", .ms(20))])
    #expect(outcome.recording.events.count { $0.kind == .blocked } == count)
  }

  @Test(.unlessThreadSanitized, arguments: ["serial", "serial.chain", "serial.nested"])
  func `steps that complete immediately need no hop and no stack`(_ pattern: String) throws {
    let steps = [Step.value("first", .integer(0))] + (1..<100_000).map { increment("s-\($0)") }
    let outcome = try simulate(pattern, steps)
    #expect(outcome.value == .integer(99_999))
    #expect(Set(outcome.recording.events.filter { $0.kind == .started }.map(\.lane)).count == 1)
  }

  @Test func `the patterns refuse cycles and accept other dependencies`() throws {
    for type in SerialQueuePlugin.patterns where type.manual.name.hasPrefix("serial") {
      var steps: [Step] = [.sleep("a", .ms(1)), .sleep("b", .ms(1))]
      steps[1].predecessors = ["a"]
      try type.manual.validate(steps)
      steps[0].predecessors = ["b"]
      #expect(throws: CompositionError.self) { try type.manual.validate(steps) }
    }
  }
}
