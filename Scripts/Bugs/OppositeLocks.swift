import AsyncPatterns

/// Two locks that are taken in opposite order.
public struct OppositeLocks: Plugin {
  public static let name = "OppositeLocks"
  public static let summary = "Transfers between two accounts that lock both."
  public static let patterns: [any AsyncPattern.Type] = [Opposite.self, Ordered.self]
}

private let parameters = [
  Parameter(
    "every", .duration, default: .duration(.milliseconds(1)),
    summary: "the time between two transfers"),
  Parameter(
    "reading", .duration, default: .duration(.milliseconds(1)),
    summary: "how long it reads the first account before it locks the second"),
]

/// `opposite-locks`: each transfer first locks the account that pays.
struct Opposite: AsyncPattern {
  static let manual = Manual(
    name: "opposite-locks",
    summary: "Transfers back and forth between two accounts, and locks the paying one first.",
    discussion: """
      Each step runs after a transfer. Before the first, third and fifth step, money moves from the \
      first account to the second; before the other steps, it moves back. A transfer locks the \
      account that pays, reads it, and locks the other one. Two transfers in opposite directions \
      may each hold the lock that the other one waits for, and two threads are blocked forever.

      The fix: lock in the same order everywhere, as in opposite-locks.fixed; or use one lock, or \
      none: a serial queue for both accounts.
      """,
    parameters: parameters, flow: .sideBySide, blocksThread: true,
    breaks: [.blocksNoThread, .completesExactlyOnce],
    examples: ["opposite-locks(every: 5ms) { save: value 1; spend: value 2 }"])

  private let transfers: Transfers

  init(_ arguments: Arguments) throws { transfers = try Transfers(arguments, inOneOrder: false) }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    transfers.start(steps, input: input, in: scope, completion: completion)
  }
}

/// `opposite-locks.fixed`: every transfer locks the accounts in the same order.
struct Ordered: AsyncPattern {
  static let manual = Manual(
    name: "opposite-locks.fixed",
    summary: "Transfers back and forth between two accounts, and locks both in the same order.",
    parameters: parameters, flow: .sideBySide, blocksThread: true, breaks: [.blocksNoThread],
    examples: ["opposite-locks.fixed(every: 5ms) { save: value 1; spend: value 2 }"])

  private let transfers: Transfers

  init(_ arguments: Arguments) throws { transfers = try Transfers(arguments, inOneOrder: true) }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    transfers.start(steps, input: input, in: scope, completion: completion)
  }
}

/// Transfers that arrive on the workers of the pool.
private struct Transfers {
  private let interval: Duration
  private let reading: Duration
  private let inOneOrder: Bool

  init(_ arguments: Arguments, inOneOrder: Bool) throws {
    interval = try arguments.duration("every")
    reading = try arguments.duration("reading")
    self.inOneOrder = inOneOrder
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard !steps.isEmpty else { return completion(.success(.list([]))) }
    let runtime = scope.runtime
    let accounts = [runtime.semaphore(1), runtime.semaphore(1)]
    let results = Results(steps.count, completion)
    for (index, step) in steps.enumerated() {
      let goesBack = !inOneOrder && index % 2 == 1
      let (first, second) = goesBack ? (accounts[1], accounts[0]) : (accounts[0], accounts[1])
      runtime.pool.schedule(after: interval * index) {
        first.wait()
        scope.mark("locked", goesBack ? "second account" : "first account")
        runtime.work(for: reading)
        second.wait()
        scope.mark("locked", "both accounts")
        second.signal()
        first.signal()
        if scope.isCancelled { return results.set(.failure(CancellationError()), at: index) }
        scope.start(step, input: input) { results.set($0, at: index) }
      }
    }
  }
}

/// The results of the steps: each value at its own position, or the first failure.
private final class Results: Sendable {
  private struct State {
    var values: [Value]
    var failure: (any Error)?
    var missing: Int

    var combined: Result<Value, any Error> {
      failure.map { .failure($0) } ?? .success(.list(values))
    }
  }

  private let state: Locked<State>
  private let completion: Completion

  init(_ count: Int, _ completion: @escaping Completion) {
    state = Locked(State(values: Array(repeating: .none, count: count), missing: count))
    self.completion = completion
  }

  func set(_ result: Result<Value, any Error>, at index: Int) {
    let all = state.withLock { state -> Result<Value, any Error>? in
      switch result {
      case .success(let value): state.values[index] = value
      case .failure(let error): if state.failure == nil { state.failure = error }
      }
      state.missing -= 1
      return state.missing == 0 ? state.combined : nil
    }
    if let all { completion(all) }
  }
}
