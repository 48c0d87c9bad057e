import AsyncPatterns
import Testing

@Suite struct LaneTests {
  @Test func `synchronous steps cost no hop`() {
    let run = simulate(
      Step("all", pattern: OneByOne(), steps: (1...5).map { .value("v-\($0)", .integer($0)) }))
    let lanes = Set(run.recording.events.filter { $0.kind == .started }.map(\.lane))
    #expect(lanes.count == 1)
  }

  @Test func `work uses all workers`() {
    let steps = (1...5).map { Step.work("work-\($0)", .milliseconds(10)) }
    let all = Step("all", pattern: SideBySide(), steps: steps)
    #expect(simulate(all, workers: 5).end == Instant(nanoseconds: 10_000_000))
    #expect(simulate(all, workers: 2).end == Instant(nanoseconds: 30_000_000))
  }

  @Test func `work starts when a worker is free`() {
    let steps = (1...4).map { Step.work("work-\($0)", .milliseconds(10)) }
    let run = simulate(Step("all", pattern: SideBySide(), steps: steps), workers: 2)
    let started = run.recording.events.filter { $0.kind == .started }
    #expect(started.map(\.time.nanoseconds) == [0, 0, 0, 10_000_000, 10_000_000])
  }

  @Test func `work that waits for a worker does not start after a cancellation`() {
    let steps: [Step] = [.block("a", .milliseconds(10)), .work("b", .milliseconds(10))]
    let all = Step("all", pattern: SideBySide(), steps: steps)
    let run = simulate(all, workers: 1) { runtime, run in
      runtime.main.schedule(after: .milliseconds(5)) { run.cancel() }
    }
    #expect(run.recording.labels(.started) == ["all", "a"])
    #expect(run.end == Instant(nanoseconds: 5_000_000))
  }

  @Test func `two traces of one lane do not mix up their spans`() {
    let (mine, other) = (Recording(), Recording())
    let (context, span, now) = (LaneContext.current, Span(id: 3), Instant(nanoseconds: 5))
    context.noteHolder(span, until: now, in: other)
    #expect(context.holder(since: now, in: mine) == .none)
    #expect(context.holder(since: now, in: other) == span)
    context.noteHolder(span, until: now, in: mine)
    #expect(context.holder(since: now, in: mine) == span)
  }

  @Test func `a job did not wait for a span that released the lane before the job was ready`() {
    let (context, trace) = (LaneContext.current, Recording())
    context.noteHolder(Span(id: 3), until: Instant(nanoseconds: 5), in: trace)
    #expect(context.holder(since: Instant(nanoseconds: 5), in: trace) == Span(id: 3))
    #expect(context.holder(since: Instant(nanoseconds: 6), in: trace) == .none)
  }

  @Test(arguments: ["main", "pool"]) func `a step starts on the lane of its option`(lane: String) {
    var step = Step.value("v", .none)
    step.options = ["on": .string(lane)]
    let run = simulate(Step("all", pattern: OneByOne(), steps: [step]))
    let started = run.recording.events.filter { $0.kind == .started }
    #expect((started[1].lane == .main) == (lane == "main"))
  }

  @Test(arguments: ["main", "pool"])
  func `a sleep completes on the lane it started on`(lane: String) {
    var step = Step.sleep("s", .milliseconds(1))
    step.options = ["on": .string(lane)]
    let run = simulate(Step("all", pattern: OneByOne(), steps: [step]))
    let finished = run.recording.events.first { $0.kind == .finished }
    #expect((finished?.lane == .main) == (lane == "main"))
  }

  @Test(arguments: ["work", "block"])
  func `a step that occupies the main lane delays the next one`(kind: String) {
    var holding = kind == "work" ? Step.work("a", .milliseconds(5)) : .block("a", .milliseconds(5))
    holding.options = ["on": .string("main")]
    var other = Step.value("b", .none)
    other.options = ["on": .string("main")]
    let run = simulate(Step("all", pattern: SideBySide(), steps: [holding, other]))
    let started = run.recording.events.filter { $0.kind == .started }
    #expect(started.map(\.time.nanoseconds) == [0, 0, 5_000_000])
    #expect(started[2].lane == .main)
  }

  @Test func `no completion runs inside the code that started the step`() {
    let run = simulate(Step("all", pattern: Careful(), steps: [.value("v", .integer(1))]))
    #expect(throws: Never.self) { try run.results[0].get() }
  }
}

/// Fails if a step's completion is called while the pattern is still starting that step.
struct Careful: AsyncPattern {
  static let manual = Manual(name: "careful", summary: "Fails if a step completes too early.")

  init() {}
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let isStarting = Locked(true)
    scope.start(steps[0], input: input) { result in
      let isReentrant = isStarting.withLock { $0 }
      completion(isReentrant ? .failure(StepFailure("completed too early")) : result)
    }
    isStarting.withLock { $0 = false }
  }
}
