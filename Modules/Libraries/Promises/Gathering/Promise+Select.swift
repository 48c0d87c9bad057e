public import AsyncRuntime

/// One of several promises of different types to be waited for, and what is to be done if it is the first.
public struct SelectClause<Output: Sendable, Failure: Error>: Sendable {
  fileprivate let node: PromiseNode
  fileprivate let context: PromiseContext
  fileprivate let follow: @Sendable () -> Promise<Output, Failure>

  /// If `promise` is settled first: what `transform` makes of its value, or its error.
  ///
  /// - Parameter placement: where `transform` runs; nil for where the handlers of the chain do.
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
  /// A promise for what the clause of whichever promise is settled first yields; the others' are not run. Of
  /// several that are settled by now, it is the first in order; of none, never.
  ///
  /// ```swift
  /// Promise<String, any Error>.select(
  ///   .when(page) { $0.title },
  ///   .when(.after(.seconds(5))) { "too late" })
  /// ```
  ///
  /// The others have a listener less then: who asked for that is cancelled.
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

/// Which one was first.
private struct WinnerRule: GatheringRule {
  func outcome(of index: Int, hasFailed: Bool, isLast: Bool) -> Result<Int, Never>? {
    .success(index)
  }

  /// The clause fails as the winner has.
  var takesFailure: Bool { false }
}
