public import AsyncRuntime

/// A clause of `select`: a promise, and the function that is called with its value if it is settled
/// first. The promises of the clauses can have different types.
public struct SelectClause<Output: Sendable, Failure: Error>: Sendable {
  fileprivate let node: PromiseNode
  fileprivate let context: PromiseContext
  fileprivate let follow: @Sendable () -> Promise<Output, Failure>

  /// If `promise` is settled first, the result is the value that `transform` returns for its value, or its error.
  ///
  /// - Parameter placement: where `transform` runs; nil for where the handlers of the chain run.
  public static func when<Input: Sendable>(
    _ promise: Promise<Input, Failure>, on placement: Placement? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Input) throws(Failure) -> Output
  ) -> SelectClause {
    SelectClause(node: promise.storage, context: promise.context) {
      promise.map(on: placement, file: file, line: line, transform)
    }
  }
}

extension Promise {
  /// A promise for the result of the clause whose promise is settled first. The other clauses do not run. If several
  /// promises are already settled, the first one in order counts. If there are no clauses, the new promise is never
  /// settled.
  ///
  /// ```swift
  /// Promise<String, any Error>.select(
  ///   .when(page) { $0.title },
  ///   .when(.after(.seconds(5))) { "too late" })
  /// ```
  ///
  /// Each of the other promises then loses a handler. If that was its last handler and its chain
  /// has `whenUnused: .cancel`, it is cancelled.
  public static func select(
    _ clauses: SelectClause<Success, Failure>..., file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    guard let first = clauses.first else { return .never(file: file, line: line) }
    let winner = Gathering.promise(
      of: clauses.map(\.node), by: WinnerRule(), in: first.context.unbound, Site(file, line))
    return winner.link(on: .inline, .any, Site(file, line)) { winner, next in
      if case .success(let index) = winner { next.adopt(clauses[index].follow().storage) }
    }
  }
}

/// The result is the index of the promise that is settled first.
private struct WinnerRule: GatheringRule {
  func outcome(of index: Int, hasFailed: Bool, isLast: Bool) -> Result<Int, Never>? {
    .success(index)
  }

  /// The clause passes the winner's failure on, so it is not handled here.
  var takesFailure: Bool { false }
}
