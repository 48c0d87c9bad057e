import AsyncPatternTesting
import Testing

/// Checks that a pattern that follows its stated failure behaviour passes, and that any other pattern is found.
@Suite struct FailureBehaviorTests {
  /// A behaviour, a pattern that follows it, and patterns that state it but follow another one.
  struct Statement: Sendable, CustomTestStringConvertible {
    let behavior: FailureBehavior
    let honest: any AsyncPattern.Type
    let dishonest: [any AsyncPattern.Type]

    var testDescription: String { behavior.rawValue }
  }

  static let statements = [
    Statement(
      behavior: .stops, honest: InPairs<Stops, Stops>.self,
      dishonest: [InPairs<Stops, Waits>.self, InPairs<Stops, FailsFast>.self]),
    Statement(
      behavior: .waits, honest: InPairs<Waits, Waits>.self,
      dishonest: [
        InPairs<Waits, Stops>.self, InPairs<Waits, FailsFast>.self, InPairs<Waits, Collects>.self,
      ]),
    Statement(
      behavior: .cancels, honest: InPairs<Cancels, Cancels>.self,
      dishonest: [InPairs<Cancels, Waits>.self, InPairs<Cancels, FailsFast>.self]),
    Statement(
      behavior: .failsFast, honest: InPairs<FailsFast, FailsFast>.self,
      dishonest: [InPairs<FailsFast, Waits>.self, InPairs<FailsFast, Collects>.self]),
    Statement(
      behavior: .collects, honest: InPairs<Collects, Collects>.self,
      dishonest: [InPairs<Collects, Waits>.self]),
    Statement(
      behavior: .first, honest: InPairs<First, First>.self,
      dishonest: [InPairs<First, Waits>.self, InPairs<First, FirstSuccess>.self]),
    Statement(
      behavior: .firstSuccess, honest: InPairs<FirstSuccess, FirstSuccess>.self,
      dishonest: [InPairs<FirstSuccess, First>.self, InPairs<FirstSuccess, Collects>.self]),
    Statement(
      behavior: .own, honest: InPairs<Own, FirstSuccess>.self,
      dishonest: [InPairs<Own, Collects>.self]),
  ]

  @Test func `every behavior is tested`() {
    #expect(Set(Self.statements.map(\.behavior)) == Set(FailureBehavior.allCases))
  }

  @Test(arguments: statements) func `only the stated behavior passes`(_ statement: Statement) async
  {
    let honest = await PatternLaws(of: statement.honest).deliversFailure()
    #expect(honest.judgement == .kept, "\(honest)")
    for pattern in statement.dishonest {
      let verdict = await PatternLaws(of: pattern).deliversFailure()
      #expect(verdict.judgement == .broken, "\(pattern)")
    }
  }

  @Test(arguments: [
    (Manual.Flow.sequence, FailureBehavior.stops), (.sideBySide, .waits),
  ])
  func `a manual without a failure behavior gets a default`(
    _ flow: Manual.Flow, _ behavior: FailureBehavior
  ) {
    #expect(Manual(name: "quiet", summary: "", flow: flow).failure == behavior)
  }
}

/// Runs its steps two at a time, handles a failure as `Does` defines, and states the behaviour of `States`.
struct InPairs<States: FailureHandling, Does: FailureHandling>: AsyncPattern {
  static var manual: Manual {
    Manual(
      name: "pairs", summary: "Two at a time.", flow: .sideBySide, failure: States.behavior)
  }

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let pairs = Pairs(steps, input, scope.cancellable(), Does.behavior, completion)
    pairs.startReadySteps()
  }
}

private final class Pairs: Sendable {
  private struct State {
    var next = 0
    var running = 0
    var failure: (any Error)?
    var completion: Completion?
  }

  private enum Action {
    case start(Int)
    case complete(Completion, Result<Value, any Error>)
    case none
  }

  private let steps: [Step]
  private let input: Value
  private let scope: Scope
  private let behavior: FailureBehavior
  private let state: Locked<State>

  init(
    _ steps: [Step], _ input: Value, _ scope: Scope, _ behavior: FailureBehavior,
    _ completion: @escaping Completion
  ) {
    (self.steps, self.input, self.scope, self.behavior) = (steps, input, scope, behavior)
    state = Locked(State(completion: completion))
  }

  func startReadySteps() {
    while true {
      switch state.withLock({ decide(&$0) }) {
      case .start(let index):
        scope.start(steps[index], input: input) { self.ended($0) }
      case .complete(let completion, let result): return completion(result)
      case .none: return
      }
    }
  }

  private func decide(_ state: inout State) -> Action {
    let isStopped =
      scope.isCancelled || (state.failure != nil && (behavior == .stops || behavior == .cancels))
    if !isStopped, state.running < 2, state.next < steps.count {
      state.next += 1
      state.running += 1
      return .start(state.next - 1)
    }
    guard state.running == 0, let completion = state.completion else { return .none }
    state.completion = nil
    return .complete(completion, result(state))
  }

  private func result(_ state: State) -> Result<Value, any Error> {
    guard let failure = state.failure, behavior != .collects else {
      return scope.isCancelled ? .failure(CancellationError()) : .success(input)
    }
    return .failure(failure)
  }

  private func ended(_ result: Result<Value, any Error>) {
    let early = state.withLock { state -> Completion? in
      state.running -= 1
      if case .failure(let error) = result {
        state.failure = state.failure ?? error
      }
      guard decidesAlone(result) else { return nil }
      defer { state.completion = nil }
      return state.completion
    }
    early?(result)
    if case .failure = result, behavior == .cancels { scope.cancel() }
    startReadySteps()
  }

  private func decidesAlone(_ result: Result<Value, any Error>) -> Bool {
    switch (behavior, result) {
    case (.first, _), (.firstSuccess, .success), (.failsFast, .failure): true
    default: false
    }
  }
}

/// A failure behaviour as a type.
protocol FailureHandling: SendableMetatype { static var behavior: FailureBehavior { get } }

enum Stops: FailureHandling { static var behavior: FailureBehavior { .stops } }
enum Waits: FailureHandling { static var behavior: FailureBehavior { .waits } }
enum Cancels: FailureHandling { static var behavior: FailureBehavior { .cancels } }
enum FailsFast: FailureHandling { static var behavior: FailureBehavior { .failsFast } }
enum Collects: FailureHandling { static var behavior: FailureBehavior { .collects } }
enum First: FailureHandling { static var behavior: FailureBehavior { .first } }
enum FirstSuccess: FailureHandling { static var behavior: FailureBehavior { .firstSuccess } }
enum Own: FailureHandling { static var behavior: FailureBehavior { .own } }
