import AsyncPatterns

/// A dispatch group that the code leaves on every path but one.
public struct MissingLeave: Plugin {
  public static let name = "MissingLeave"
  public static let summary = "A group whose failing path forgets to leave."
  public static let patterns: [any AsyncPattern.Type] = [Forgetful.self, Balanced.self]
}

/// `missing-leave`: a step that fails stays in the group.
struct Forgetful: AsyncPattern {
  static let manual = Manual(
    name: "missing-leave",
    summary: "Runs its steps in parallel in a group that a failing step never leaves.",
    discussion: """
      dispatch_group_enter and dispatch_group_leave must come in pairs. The leave is at the end of \
      the completion handler, and the handler returns early when there is an error: the group is \
      never empty again, and never notifies. As long as no step fails, all is well.

      The fix: “defer { group.leave() }” at the start of the handler, as in missing-leave.fixed, \
      or a group that enters and leaves by itself, such as a task group.
      """,
    flow: .sideBySide, breaks: [.completesExactlyOnce],
    examples: ["missing-leave { a: sleep 20ms; b: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let group = Group()
    let results = Results(steps.count)
    for (index, step) in steps.enumerated() {
      group.enter()
      scope.start(step, input: input) { result in
        results.keep(result, at: index)
        guard case .success = result else { return }
        group.leave()
      }
    }
    group.notify { completion(results.combined) }
  }
}

/// `missing-leave.fixed`: every path leaves.
struct Balanced: AsyncPattern {
  static let manual = Manual(
    name: "missing-leave.fixed",
    summary: "Runs its steps in parallel in a group that each of them leaves.",
    flow: .sideBySide, examples: ["missing-leave.fixed { a: sleep 20ms; b: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let group = Group()
    let results = Results(steps.count)
    for (index, step) in steps.enumerated() {
      group.enter()
      scope.start(step, input: input) { result in
        defer { group.leave() }
        results.keep(result, at: index)
      }
    }
    group.notify { completion(results.combined) }
  }
}

/// The essential parts of a dispatch group: it retains itself while it has members, and notifies when it has
/// none.
private final class Group: Sendable {
  private struct State {
    var count = 0
    var notification: (@Sendable () -> Void)?
    var itself: Group?
  }

  private let state = Locked(State())

  func enter() {
    state.withLock { state in
      state.count += 1
      state.itself = self
    }
  }

  func leave() {
    notify(after: { $0.count -= 1 })
  }

  func notify(_ notification: @escaping @Sendable () -> Void) {
    notify(after: { $0.notification = notification })
  }

  private func notify(after change: (inout State) -> Void) {
    let notification = state.withLock { state -> (@Sendable () -> Void)? in
      change(&state)
      guard state.count == 0 else { return nil }
      defer { (state.notification, state.itself) = (nil, nil) }
      return state.notification
    }
    notification?()
  }
}

/// The results of the steps: each value at its own position, and the first failure.
private final class Results: Sendable {
  private struct State {
    var values: [Value]
    var failure: (any Error)?
  }

  private let state: Locked<State>

  init(_ count: Int) { state = Locked(State(values: Array(repeating: .none, count: count))) }

  func keep(_ result: Result<Value, any Error>, at index: Int) {
    state.withLock { state in
      switch result {
      case .success(let value): state.values[index] = value
      case .failure(let error): if state.failure == nil { state.failure = error }
      }
    }
  }

  var combined: Result<Value, any Error> {
    state.withLock { state in state.failure.map { .failure($0) } ?? .success(.list(state.values)) }
  }
}
