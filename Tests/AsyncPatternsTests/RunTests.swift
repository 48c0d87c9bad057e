import AsyncPatterns
import Testing

@Suite struct RunTests {
  @Test func aHundredThousandSynchronousStepsNeedNoStack() async throws {
    let steps = (1...100_000).map { Step.value("v-\($0)", .integer($0)) }
    let result = await run(Step("all", pattern: OneByOne(), steps: steps))
    #expect(try result.get() == .integer(100_000))
  }

  @Test func aReleasedCompletionFailsItsStep() async {
    let result = await run(Step("forgetful") { _, _, _ in })
    #expect(throws: CompletionDropped(step: "forgetful")) { try result.get() }
  }

  @Test func aStepThatIsAnAsynchronousFunctionRunsOnThePool() async throws {
    let result = await run(
      Step("twice as much") { input, _ in
        await Task.yield()
        guard case .integer(let number) = input else { throw StepFailure("no number") }
        return .integer(number * 2)
      }, input: .integer(21))
    #expect(try result.get() == .integer(42))
  }

  @Test func cancellingEndsWhatNeverEnds() async {
    let result = await withCheckedContinuation { continuation in
      let run = Run(.never("never"), on: LiveRuntime.shared) { continuation.resume(returning: $0) }
      run.cancel()
    }
    #expect(throws: CancellationError.self) { try result.get() }
  }

  private func run(_ step: Step, input: Value = .none) async -> Result<Value, any Error> {
    await withCheckedContinuation { continuation in
      Run(step, input: input, on: LiveRuntime.shared) { continuation.resume(returning: $0) }
    }
  }
}

/// One step after another, as plainly as can be.
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
