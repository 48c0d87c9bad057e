/// Steps whose values flow from one to the next, as the patterns of this module share it: which step
/// comes when is theirs to say.
final class StepSequence: Sendable {
  private let steps: [Step]
  private let scope: Scope
  private let latest: Locked<Result<Value, any Error>>

  init(_ steps: [Step], input: Value, in scope: Scope) {
    self.steps = steps
    self.scope = scope
    latest = Locked(.success(input))
  }

  /// What the last step that ended made of the input.
  var result: Result<Value, any Error> { latest.withLock { $0 } }

  /// Starts a step with the latest value, unless a step has failed before or all is called off.
  ///
  /// - Parameter then: called when it has ended, or at once if it does not start; tells whether the
  ///   steps after it may still start.
  func start(_ index: Int, then: @escaping @Sendable (_ goesOn: Bool) -> Void) {
    guard let input = inputOfNext() else { return then(false) }
    scope.start(steps[index], input: input) { [self] result in
      let goesOn = latest.withLock { latest in
        // A failure stays, whatever a step that ends twice may say after it.
        guard case .success = latest else { return false }
        latest = result
        if case .success = result { return true }
        return false
      }
      then(goesOn)
    }
  }

  /// The latest value; nil if no step may start any more.
  private func inputOfNext() -> Value? {
    latest.withLock { latest in
      // A step need not heed the cancellation: it may have succeeded.
      if case .success = latest, scope.isCancelled { latest = .failure(CancellationError()) }
      return try? latest.get()
    }
  }
}
