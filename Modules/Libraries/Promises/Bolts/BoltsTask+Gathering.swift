public import AsyncRuntime

extension Bolts {
  /// The errors of several tasks that failed.
  public struct AggregateError: Error, CustomStringConvertible {
    /// The errors of the failed tasks, in the order of the tasks.
    public let errors: [any Error]

    public var description: String {
      "\(errors.count == 1 ? "one task" : "\(errors.count) tasks") failed: "
        + errors.map { "\($0)" }.joined(separator: "; ")
    }
  }
}

extension Bolts.Task {
  /// A task that completes when all `tasks` are completed. It is cancelled if one of them is cancelled; otherwise it
  /// fails with `Bolts.AggregateError` if one of them has failed.
  public static func whenAll(
    _ tasks: some Sequence<Bolts.Task<Success>>, file: StaticString = #fileID, line: UInt = #line
  ) -> Bolts.Task<Void> {
    whenAllResult(tasks, file: file, line: line)
      .continueOnSuccessWith(file: file, line: line) { _ in }
  }

  /// A task for the results of all `tasks`, in their order. Otherwise it works like `whenAll`.
  public static func whenAllResult(
    _ tasks: some Sequence<Bolts.Task<Success>>, file: StaticString = #fileID, line: UInt = #line
  ) -> Bolts.Task<[Success]> {
    let settled = Promise.settled(tasks.map { $0.promise }, file: file, line: line)
    return Bolts.Task<[Success]>(
      settled.tryMap(on: .inline, file: file, line: line) { results in
        let errors = results.compactMap { result -> (any Error)? in
          if case .failure(let error) = result { error } else { nil }
        }
        if let cancelled = errors.first(where: { $0 is Bolts.CancelledError }) { throw cancelled }
        guard errors.isEmpty else { throw Bolts.AggregateError(errors: errors) }
        return results.compactMap { try? $0.get() }
      })
  }

  /// A task that completes when the first of `tasks` is completed, with any result. If there are no tasks, it completes
  /// immediately.
  public static func whenAny(
    _ tasks: some Sequence<Bolts.Task<Success>>, file: StaticString = #fileID, line: UInt = #line
  ) -> Bolts.Task<Void> {
    let promises = tasks.map { $0.promise }
    guard !promises.isEmpty else { return Bolts.Task<Void>((), file: file, line: line) }
    // The failure must be handled in the task that failed, not here.
    return Bolts.Task(.race(promises, file: file, line: line).ignoringFailure())
      .continueWith(file: file, line: line) { _ in }
  }
}

extension Bolts.Task where Success == Void {
  /// A task that completes once `delay` has passed.
  ///
  /// - Parameter cancellation: cancels the task, and releases its timer.
  public static func withDelay(
    _ delay: Duration, runtime: (any Runtime)? = nil, cancellation: Cancellation? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Bolts.Task<Void> {
    Bolts.Task(
      .after(
        delay, on: .inline, runtime: runtime, cancellation: cancellation, file: file, line: line))
  }
}
