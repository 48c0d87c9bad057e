import AsyncPatterns

/// A start that checks whether it may, and then starts.
public struct CheckThenAct: Plugin {
  public static let name = "CheckThenAct"
  public static let summary = "A manager of handlers that two of its users may start."
  public static let patterns: [any AsyncPattern.Type] = [CheckedThenSet.self, Decided.self]
}

/// `check-then-act`: the flag is read here and set there.
struct CheckedThenSet: AsyncPattern {
  static let manual = Manual(
    name: "check-then-act",
    summary: "Runs its steps one after another; two that are added together may both begin.",
    discussion: """
      The way of GSPromise's manager: handlers in a list, the first of which runs until it calls \
      “then”. Whoever adds one checks a “working” flag, and starts the manager if it is not set; the \
      start sets it. Somebody who adds another one in between finds it not set either: the first \
      handler runs twice, the second “then” takes out a handler that has only begun, and from then \
      on two are always under way.

      The way out: check and set in one critical section, as in check-then-act.fixed, and start \
      after it.
      """,
    ordering: .keepsOrder,
    breaks: [.startsNoStepTwice, .completesExactlyOnce, .deliversFailure],
    examples: ["check-then-act { fadeIn: sleep 300ms; fadeOut: sleep 300ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    Manager(steps.count, decidesAtOnce: false, input: input, in: scope, completion: completion)
      .add(steps[...])
  }
}

/// `check-then-act.fixed`: the flag is read and set under one lock.
struct Decided: AsyncPattern {
  static let manual = Manual(
    name: "check-then-act.fixed",
    summary: "Runs its steps one after another, whoever adds them.", ordering: .keepsOrder,
    examples: ["check-then-act.fixed { fadeIn: sleep 300ms; fadeOut: sleep 300ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    Manager(steps.count, decidesAtOnce: true, input: input, in: scope, completion: completion)
      .add(steps[...])
  }
}

/// A list of handlers, the first of which runs.
private final class Manager: Sendable {
  private struct State {
    var handlers: [Step] = []
    var isWorking = false
    /// How many are still to be added.
    var missing: Int
    var result: Result<Value, any Error>
  }

  private let state: Locked<State>
  private let decidesAtOnce: Bool
  private let scope: Scope
  private let completion: Completion

  init(
    _ count: Int, decidesAtOnce: Bool, input: Value, in scope: Scope,
    completion: @escaping Completion
  ) {
    self.decidesAtOnce = decidesAtOnce
    self.scope = scope
    self.completion = completion
    state = Locked(State(missing: count, result: .success(input)))
  }

  /// Adds one handler after another, each in a job of its own.
  ///
  /// - Parameter steps: as many as were announced.
  func add(_ steps: ArraySlice<Step>) {
    guard let first = steps.first else { return runFirst() }
    scope.runtime.pool.schedule { [self] in
      add(first)
      if steps.count > 1 { add(steps.dropFirst()) }
    }
  }

  private func add(_ step: Step) {
    let isWorking = state.withLock { state in
      defer { if decidesAtOnce { state.isWorking = true } }
      state.handlers.append(step)
      state.missing -= 1
      return state.isWorking
    }
    scope.mark("add", "\(step.label), \(isWorking ? "working" : "not working")")
    if isWorking { return }
    // Whoever is added before this runs has seen that nobody works, unless it has been decided.
    scope.runtime.pool.schedule { [self] in
      state.withLock { $0.isWorking = true }
      scope.mark("start working")
      runFirst()
    }
  }

  private enum Next {
    case step(Step, input: Value)
    case end(Result<Value, any Error>)
    case idle
  }

  private func runFirst() {
    let isCancelled = scope.isCancelled
    let next = state.withLock { state -> Next in
      if isCancelled { state.result = .failure(CancellationError()) }
      if case .success(let value) = state.result, let first = state.handlers.first {
        return .step(first, input: value)
      }
      state.handlers = []
      state.isWorking = false
      return state.missing == 0 ? .end(state.result) : .idle
    }
    switch next {
    case .step(let step, let input): scope.start(step, input: input) { self.then($0) }
    case .end(let result): completion(result)
    case .idle: break
    }
  }

  private func then(_ result: Result<Value, any Error>) {
    state.withLock { state in
      state.result = result
      if !state.handlers.isEmpty { state.handlers.removeFirst() }
    }
    runFirst()
  }
}
