import AsyncPatterns

/// A commit that waits for the end of a run-loop turn, but does not wake the run loop.
public struct LostWakeup: Plugin {
  public static let name = "LostWakeup"
  public static let summary =
    "Transactions at the end of a run-loop turn, with and without a wake-up."
  public static let patterns: [any AsyncPattern.Type] = [Unwoken.self, Woken.self]
}

/// `lost-wakeup`: a commit during a flush waits until something else happens.
struct Unwoken: AsyncPattern {
  static let manual = Manual(
    name: "lost-wakeup",
    summary: "Commits each step to the end of a main turn, and does not wake the main lane for it.",
    discussion: """
      This works like YYTransaction: a commit adds to a set, and an observer of the run loop \
      empties the set when the loop is about to wait. The set is replaced first, so a commit \
      during the flush, or from another thread, belongs to the next turn. But nothing requests a \
      next turn: the loop goes to sleep, and the commit waits until a touch or a timer happens to \
      wake it. Each step here is committed when the one before it has ended, like a layout that \
      commits another one.

      The fix: a commit into an empty set wakes the loop, as in lost-wakeup.fixed.
      """,
    ordering: .keepsOrder, breaks: [.completesExactlyOnce],
    examples: ["lost-wakeup { contentsNeedUpdated: value 1 }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    Transactions(wakes: false, in: scope).commitAll(steps, input: input, completion: completion)
  }
}

/// `lost-wakeup.fixed`: a commit wakes the main lane.
struct Woken: AsyncPattern {
  static let manual = Manual(
    name: "lost-wakeup.fixed",
    summary: "Commits each step to the end of a main turn, and wakes the main lane for it.",
    ordering: .keepsOrder,
    examples: ["lost-wakeup.fixed { contentsNeedUpdated: value 1; layout: value 2 }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    Transactions(wakes: true, in: scope).commitAll(steps, input: input, completion: completion)
  }
}

/// The commits since the last flush, and the observer that flushes them.
private final class Transactions: Sendable {
  private struct State {
    var committed: [@Sendable () -> Void] = []
    var observer: (any Cancellable)?
  }

  private let state = Locked(State())
  private let scope: Scope
  private let wakes: Bool

  init(wakes: Bool, in scope: Scope) {
    self.wakes = wakes
    self.scope = scope
  }

  private func commit(_ transaction: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.committed.append(transaction)
      return state.committed.count == 1
    }
    scope.mark("commit")
    if wakes, isFirst { scope.runtime.wakeMain() }
  }

  private func flush() {
    let committed = state.withLock { state in
      defer { state.committed = [] }
      return state.committed
    }
    if !committed.isEmpty { scope.mark("flush") }
    for transaction in committed { transaction() }
  }

  func commitAll(_ steps: [Step], input: Value, completion: @escaping Completion) {
    // After Core Animation's own, at 2 000 000.
    let observer = scope.runtime.atEndOfTurn(order: 0xFFFFFF) { self.flush() }
    state.withLock { $0.observer = observer }
    let registration = scope.onCancel { self.scope.runtime.wakeMain() }
    scope.runtime.main.schedule { [self] in
      commit(steps[...], input: input) { [self] result in
        registration.dispose()
        state.withLock { $0.observer }?.cancel()
        completion(result)
      }
    }
  }

  private func commit(_ steps: ArraySlice<Step>, input: Value, completion: @escaping Completion) {
    guard let first = steps.first else { return completion(.success(input)) }
    commit { [self] in
      if scope.isCancelled { return completion(.failure(CancellationError())) }
      scope.start(first, input: input) { [self] result in
        guard case .success(let value) = result else { return completion(result) }
        commit(steps.dropFirst(), input: value, completion: completion)
      }
    }
  }
}
