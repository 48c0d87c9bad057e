import AsyncPatterns

/// A start that first checks a flag, and then acts on it.
public struct CheckThenAct: Plugin {
  public static let name = "CheckThenAct"
  public static let summary = "A manager of handlers that two callers may start."
  public static let patterns: [any AsyncPattern.Type] = [CheckedThenSet.self, Decided.self]
}

/// `check-then-act`: the flag is read in one critical section and set in another.
struct CheckedThenSet: AsyncPattern {
  static let manual = Manual(
    name: "check-then-act",
    summary: "Runs its steps one after another; two that are added together may both start.",
    discussion: """
      This works like GSPromise's manager: handlers in a list, the first of which runs until it \
      calls “then”. Adding a handler checks a “working” flag, and starts the manager if the flag \
      is not set; the start sets it. If another handler is added in between, the flag is still not \
      set: the first handler runs twice, the second “then” removes a handler that has only \
      started, and from then on two handlers always run at the same time.

      The fix: check and set in one critical section, as in check-then-act.fixed, and start after \
      it.
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
    summary: "Runs its steps one after another, even if two are added together.",
    ordering: .keepsOrder,
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
    /// The number of handlers that have not been added yet.
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
  /// - Parameter steps: as many as `init` was given.
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
    // Unless the code above has set the flag, every handler that is added before this job runs reads it as not set.
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
