import AsyncPatterns
import Testing

@Suite struct CompletionGuardTests {
  @Test func `a second call is reported and dropped`() {
    let run = simulate(
      Step(
        "all", pattern: OneByOne(),
        steps: [.twice("wrong", .milliseconds(5)), .sleep("next", .milliseconds(20))]))
    #expect(run.results.count == 1)
    #expect(run.recording.misuse == ["completed-twice"])
    #expect(run.recording.labels(.started) == ["all", "wrong", "next"])
    #expect(run.end == Instant(nanoseconds: 25_000_000))
  }

  @Test func `an unguarded pattern receives every call`() {
    let calls = Locked(0)
    let unguarded = Unguarded { calls.withLock { $0 += 1 } }
    let run = simulate(
      Step("all", pattern: unguarded, steps: [.twice("wrong", .milliseconds(5))]))
    #expect(calls.withLock { $0 } == 2)
    // The pattern's own completion was also called twice, and its parent is guarded.
    #expect(run.recording.misuse == ["completed-twice", "completed-twice"])
    #expect(run.results.count == 1)
  }

  @Test func `every call reaches the pattern on the pattern's behalf`() {
    let spans = Locked<[Span]>([])
    let unguarded = Unguarded { spans.withLock { $0.append(LaneContext.current.span) } }
    let run = simulate(
      Step("all", pattern: unguarded, steps: [.twice("wrong", .milliseconds(5))]))
    let span = run.recording.events.first { $0.kind == .submitted }?.span
    #expect(spans.withLock { $0 } == [span, span])
  }

  @Test func `the run stays open for the second call`() {
    let run = simulate(.twice("wrong", .milliseconds(5)))
    #expect(run.end == Instant(nanoseconds: 10_000_000))
    #expect(run.results.count == 1)
  }

  @Test func `a dropped completion fails its step, and the run continues`() {
    let forgetful = Step("forgetful") { _, _, _ in }
    let run = simulate(
      Step("all", pattern: SideBySide(), steps: [forgetful, .sleep("other", .milliseconds(5))]))
    #expect(run.recording.misuse == ["completion-dropped"])
    #expect(run.recording.labels(.finished) == ["forgetful", "other", "all"])
    #expect(run.results.count == 1)
  }

  @Test func `a run settles when its last step has ended`() {
    let run = simulate(
      Step(
        "all", pattern: FirstOnly(),
        steps: [
          .sleep("quick", .milliseconds(5)), .sleep("slow", .milliseconds(30)),
        ]))
    #expect(run.recording.labels(.finished) == ["quick", "all", "slow"])
    #expect(run.end == Instant(nanoseconds: 30_000_000))
  }
}

/// Completes with the first step that completes. The other steps keep running.
struct FirstOnly: AsyncPattern {
  static let manual = Manual(name: "first-only", summary: "Completes with its first step.")

  init() {}
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let hasCompleted = Locked(false)
    for step in steps {
      scope.start(step, input: input) { result in
        let isFirst = hasCompleted.withLock { hasCompleted in
          defer { hasCompleted = true }
          return !hasCompleted
        }
        if isFirst { completion(result) }
      }
    }
  }
}
