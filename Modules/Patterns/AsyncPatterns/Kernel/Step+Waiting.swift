extension Step {
  /// Completes with `result` after `duration`, or never if that is nil. If cancelled, completes immediately.
  static func wait(
    for duration: Duration?, in scope: Scope, _ completion: @escaping Completion,
    with result: Result<Value, any Error>
  ) {
    CancellableWait.begin(with: result, in: scope, completion: completion) { wait in
      guard let duration else { return nil }
      return LaneContext.current.scheduling(.end) {
        scope.schedule(after: duration) { wait.end() }
      }
    }
  }

  /// Completes after `duration`, and a second time, which is wrong, after twice `duration`.
  static func completeTwice(
    after duration: Duration, _ input: Value, in scope: Scope, _ completion: @escaping Completion
  ) {
    let hold = scope.holdOpen()
    CancellableWait.begin(with: .success(input), in: scope, completion: completion) { wait in
      scope.schedule(after: duration) { wait.end() }
    }
    let second: Completion = { result in
      if case .success = result { completion(result) }
      hold.release()
    }
    CancellableWait.begin(with: .success(input), in: scope, completion: second) { wait in
      scope.schedule(after: duration + duration) { wait.end() }
    }
  }
}

extension Scope {
  /// Continues a step that waits without a thread. If the step started on the main lane, it continues there, so that
  /// blocked workers cannot delay its end.
  fileprivate func schedule(
    after delay: Duration, _ body: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    LaneContext.current.lane == .main
      ? run.runtime.main.schedule(after: delay, body) : run.pool.schedule(after: delay, body)
  }
}
