import AsyncPatterns
import AsyncSimulation
import PatternTesting
import Testing

@Suite struct RunTests {
  @Test(.unlessThreadSanitized) func `100,000 synchronous steps do not overflow the stack`()
    async throws
  {
    let steps = (1...100_000).map { Step.value("v-\($0)", .integer($0)) }
    let result = await run(Step("all", pattern: OneByOne(), steps: steps))
    #expect(try result.get() == .integer(100_000))
  }

  @Test func `a released completion fails its step`() async {
    let result = await run(Step("forgetful") { _, _, _ in })
    #expect(throws: CompletionDropped(step: "forgetful")) { try result.get() }
  }

  @Test func `a step that is an asynchronous function runs on the pool`() async throws {
    let result = await run(
      Step("twice as much") { input, _ in
        await Task.yield()
        guard case .integer(let number) = input else { throw StepFailure("no number") }
        return .integer(number * 2)
      }, input: .integer(21))
    #expect(try result.get() == .integer(42))
  }

  @Test func `cancelling ends a step that never completes`() async {
    let result = await withCheckedContinuation { continuation in
      let run = Run(.never("never"), on: LiveRuntime.shared) { continuation.resume(returning: $0) }
      run.cancel()
    }
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test func `an abandoned run starts a limited number of steps`() {
    let starts = Locked(0)
    let abandoned = Locked<Run?>(nil)
    let counting = Step("counting") { _, _, completion in
      let isThird = starts.withLock { starts in
        starts += 1
        return starts == 3
      }
      if isThird { abandoned.withLock { $0 }?.abandon() }
      completion(.success(.none))
    }
    let simulated = simulate(Step("endless", pattern: Endless(), steps: [counting])) { _, run in
      abandoned.withLock { $0 = run }
    }
    #expect(starts.withLock { $0 } == 3 + Run.lastStarts)
    #expect(simulated.results.isEmpty && simulated.recording.misuse.isEmpty)
  }

  @Test func `200 levels of nesting do not overflow the stack`() async throws {
    var nested = Step.value("v", .integer(7))
    for level in 1...200 { nested = Step("level-\(level)", pattern: OneByOne(), steps: [nested]) }
    let result = await run(nested)
    #expect(try result.get() == .integer(7))
  }

  @Test(.unlessThreadSanitized, .timeLimit(.minutes(1)))
  func `100,000 sleeping steps on the live clock are cancelled`() async {
    let steps = (1...100_000).map { Step.sleep("s-\($0)", .seconds(1_000_000)) }
    let marked = Step("cancelling") { _, scope, completion in
      completion(.success(.none))
      scope.cancel()
    }
    let result = await run(Step("all", pattern: SideBySide(), steps: steps + [marked]))
    #expect(throws: Never.self) { try result.get() }
  }

  @Test func `a run settles once, even if its step starts another one later`() {
    let kept = Locked<Scope?>(nil)
    let keeping = Step("keeping") { _, scope, completion in
      kept.withLock { $0 = scope }
      completion(.success(.none))
    }
    let run = simulate(keeping) { runtime, _ in
      runtime.main.schedule(after: .milliseconds(5)) {
        kept.withLock { $0 }?.start(.value("late", .none)) { _ in }
      }
    }
    #expect(run.recording.labels(.finished) == ["keeping", "late"])
    #expect(run.results.count == 1)
  }

  @Test func `a released hold settles the run from another thread`() {
    // The thread that drops the last reference may hold a lock that the handler of the run needs.
    let lock = Locked<RunHold?>(nil)
    let holding = Step("holding") { _, scope, completion in
      lock.withLock { $0 = scope.holdOpen() }
      completion(.success(.none))
    }
    let isHeld = Locked(false)
    let settledWhileHeld = Locked<Bool?>(nil)
    let runtime = SimulatedRuntime()
    Run(holding, on: runtime) { _ in settledWhileHeld.withLock { $0 = isHeld.withLock { $0 } } }
    runtime.main.schedule(after: .milliseconds(5)) {
      isHeld.withLock { $0 = true }
      lock.withLock { $0 = nil }
      isHeld.withLock { $0 = false }
    }
    runtime.runUntilIdle()
    #expect(settledWhileHeld.withLock { $0 } == false)
  }

  @Test func `a pattern may start a step of another pattern`() throws {
    let others: [Step] = (1...3).map { .value("other-\($0)", .integer($0)) }
    let lending = Step("lending", pattern: Lending(), steps: others)
    let run = simulate(lending)
    #expect(try run.results[0].get() == .integer(3))
    #expect(
      run.recording.labels(.finished) == ["other-3", "borrowing", "lending"])
  }

  private func run(_ step: Step, input: Value = .none) async -> Result<Value, any Error> {
    await withCheckedContinuation { continuation in
      Run(step, input: input, on: LiveRuntime.shared) { continuation.resume(returning: $0) }
    }
  }
}

/// Runs its steps one after another, in the simplest way.
struct OneByOne: AsyncPattern {
  static let manual = Manual(name: "one-by-one", summary: "Runs its steps one after another.")

  init() {}
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    next(0, of: steps, input, scope, completion)
  }

  private func next(
    _ index: Int, of steps: [Step], _ input: Value, _ scope: Scope,
    _ completion: @escaping Completion
  ) {
    guard index < steps.count else { return completion(.success(input)) }
    scope.start(steps[index], input: input) { result in
      switch result {
      case .success(let value): next(index + 1, of: steps, value, scope, completion)
      case .failure: completion(result)
      }
    }
  }
}

/// Starts its step again from each completion.
struct Endless: AsyncPattern {
  static let manual = Manual(name: "endless", summary: "Starts its step from each completion.")

  init() {}
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    scope.start(steps[0]) { _ in start(steps, input: input, in: scope, completion: completion) }
  }
}

/// Passes its last step to another pattern without the kernel's knowledge.
struct Lending: AsyncPattern {
  static let manual = Manual(name: "lending", summary: "Passes its last step to another pattern.")

  init() {}
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let borrowing = Step(
      "borrowing", pattern: Borrowing(step: steps[2]), steps: [.value("own", .none)])
    scope.start(borrowing, input: input, completion: completion)
  }
}

/// Starts a step that belongs to another pattern instead of its own.
struct Borrowing: AsyncPattern {
  static let manual = Manual(name: "borrowing", summary: "Starts a step of another pattern.")

  var step = Step.value("v", .none)

  init(step: Step) { self.step = step }
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    scope.start(step, input: input, completion: completion)
  }
}
