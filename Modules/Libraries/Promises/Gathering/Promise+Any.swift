/// None of several promises had a value.
public struct AllFailed<Failure: Error>: Error, CustomStringConvertible {
  /// What each of them failed with, in their order.
  public let errors: [Failure]

  public init(errors: [Failure]) { self.errors = errors }

  public var description: String {
    switch errors.count {
    case 0: "there was no promise that could have had a value"
    case 1: "the only promise failed: \(errors[0])"
    default:
      "all \(errors.count) promises failed: "
        + errors.map { "\($0)" }.joined(separator: "; ")
    }
  }
}

extension AllFailed: Equatable where Failure: Equatable {}

extension AllFailed: SpokenFor {
  /// That all were cancelled is a cancellation.
  var isSpokenFor: Bool {
    !errors.isEmpty && errors.allSatisfy { $0 is CancellationError }
  }
}

extension Promise {
  /// A promise for the value of whichever of `promises` has one first. It fails only if all do, once the
  /// last has, with all their errors in order; of none, at once.
  ///
  /// Handlers of the new promise run where the first one's do. When one has a value, or the new promise is
  /// cancelled, the others have a listener less: who asked for that is cancelled.
  ///
  /// - Complexity: O(*n*), one object for each that is pending.
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
    // If there is a value, who was told of that says so.
    return errors.count == promises.count ? .failure(AllFailed(errors: errors)) : nil
  }

  var replacesFailure: Bool { true }
}
