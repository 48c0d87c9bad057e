/// The error if all of several promises failed, so that there is no value.
public struct AllFailed<Failure: Error>: Error, CustomStringConvertible {
  /// The errors of the promises, in their order.
  public let errors: [Failure]

  public init(errors: [Failure]) { self.errors = errors }

  public var description: String {
    switch errors.count {
    case 0: "there was no promise, so there is no value"
    case 1: "the only promise failed: \(errors[0])"
    default:
      "all \(errors.count) promises failed: "
        + errors.map { "\($0)" }.joined(separator: "; ")
    }
  }
}

extension AllFailed: Equatable where Failure: Equatable {}

extension AllFailed: OptionallyHandledError {
  /// If all promises were cancelled, this error is a cancellation, too, and need not be handled.
  var needsNoHandling: Bool {
    !errors.isEmpty && errors.allSatisfy { $0 is CancellationError }
  }
}

extension Promise {
  /// A promise for the first value that one of `promises` has. It fails only if all of them fail. It then fails after
  /// the last failure, with all errors in order. If there are no promises, it fails immediately.
  ///
  /// Handlers of the new promise run where those of the first of `promises` do. When one promise
  /// has a value, or the new promise is cancelled, each of the others loses a handler. If that was
  /// its last handler and its chain has `whenUnused: .cancel`, it is cancelled.
  ///
  /// - Complexity: O(*n*); one object for each pending promise.
  public static func any<Cause: Error>(
    _ promises: some Sequence<Promise<Success, Cause>>, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise where Failure == AllFailed<Cause> {
    let promises = Array(promises)
    guard let first = promises.first else {
      return .rejected(AllFailed(errors: []), file: file, line: line)
    }
    return Gathering.promise(
      of: promises.map(\.storage), by: AnyRule(promises: promises), in: first.context.unbound,
      Site(file, line))
  }
}

private struct AnyRule<Success: Sendable, Cause: Error>: GatheringRule {
  let promises: [Promise<Success, Cause>]

  static var concern: PromiseNode.Wants { .success }

  func outcome(
    of index: Int, hasFailed: Bool, isLast: Bool
  ) -> Result<Success, AllFailed<Cause>>? {
    if !hasFailed, let value = promises[index].fulfilledValue { return .success(value) }
    guard isLast else { return nil }
    let errors = promises.compactMap(\.rejectedError)
    // If one of the promises has a value, the call for that promise returns it.
    return errors.count == promises.count ? .failure(AllFailed(errors: errors)) : nil
  }

  var replacesFailure: Bool { true }
}
