import AsyncPatterns

/// Starts all steps at the same time and completes after as many results as there are steps.
struct SideBySide: AsyncPattern {
  static let manual = Manual(
    name: "side-by-side", summary: "Runs its steps in parallel.", flow: .sideBySide)

  init() {}
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard !steps.isEmpty else { return completion(.success(.list([]))) }
    let left = Locked(steps.count)
    for step in steps {
      scope.start(step, input: input) { _ in
        let isLast = left.withLock { left in
          left -= 1
          return left == 0
        }
        if isLast { completion(.success(.none)) }
      }
    }
  }
}

/// Calls `onCall` each time that a call of a step's completion reaches it. It is unguarded, so every call reaches it,
/// not only the first.
struct Unguarded: AsyncPattern {
  static let manual = Manual(
    name: "unguarded", summary: "Receives every call.", isUnguarded: true,
    breaks: [.completesExactlyOnce])

  let onCall: @Sendable () -> Void

  init(onCall: @escaping @Sendable () -> Void) { self.onCall = onCall }
  init(_ arguments: Arguments) { self.init {} }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    for step in steps {
      scope.start(step, input: input) { result in
        onCall()
        completion(result)
      }
    }
  }
}
