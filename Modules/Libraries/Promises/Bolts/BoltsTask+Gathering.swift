public import AsyncRuntime

extension Bolts {
  /// Several tasks failed, each with its error.
  public struct AggregateError: Error, CustomStringConvertible {
    /// What those that failed did so with, in the order of the tasks.
    public let errors: [any Error]

    public var description: String {
      "\(errors.count == 1 ? "one task" : "\(errors.count) tasks") failed: "
        + errors.map { "\($0)" }.joined(separator: "; ")
    }
  }
}

extension Bolts.Task {
  /// A task that completes when all `tasks` have: cancelled if one of them is; otherwise failed with
  /// `Bolts.AggregateError` if one of them is.
  public static func whenAll(
    _ tasks: some Sequence<Bolts.Task<Success>>, file: StaticString = #fileID, line: UInt = #line
  ) -> Bolts.Task<Void> {
    whenAllResult(tasks, file: file, line: line)
      .continueOnSuccessWith(file: file, line: line) { _ in }
  }

  /// A task for the results of all `tasks`, in their order; otherwise as `whenAll`.
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

  /// A task that is completed when the first of `tasks` is, whatever that has come to; of none, at once.
  public static func whenAny(
    _ tasks: some Sequence<Bolts.Task<Success>>, file: StaticString = #fileID, line: UInt = #line
  ) -> Bolts.Task<Void> {
    let promises = tasks.map { $0.promise }
    guard !promises.isEmpty else { return Bolts.Task<Void>((), file: file, line: line) }
    // Whose failure it was is for the tasks to tell.
    return Bolts.Task(.race(promises, file: file, line: line).ignoringFailure())
      .continueWith(file: file, line: line) { _ in }
  }
}

extension Bolts.Task where Success == Void {
  /// A task that is completed once `delay` has passed.
  ///
  /// - Parameter cancellation: cancels it, and releases its timer.
  public static func withDelay(
    _ delay: Duration, runtime: (any Runtime)? = nil, until cancellation: Cancellation? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Bolts.Task<Void> {
    Bolts.Task(
      .after(
        delay, on: .inline, runtime: runtime, until: cancellation, file: file, line: line))
  }
}
