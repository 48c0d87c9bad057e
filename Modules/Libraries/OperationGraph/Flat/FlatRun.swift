internal import AsyncRuntime

/// A run of a graph without options, as the operations and their tokens see it.
protocol FlatRun: OperationHost {
  var core: FlatRunCore { get }
}

extension FlatRun {
  var table: OperationTable { core.table }
  var places: RunValues.Places { core.values.places }
  var placement: Placement { core.placement }
  var runtime: any Runtime { core.runtime }
  var cancellation: Cancellation { core.cancellation }

  var links: ReadyList.Links { @inline(__always) get { core.links } }

  func span(of operation: Int32) -> Span { core.trace?.span(of: operation) ?? .none }

  /// An operation that has ended before another one starts has succeeded. Otherwise nothing would start.
  func ending(of operation: Int32) -> Ending { .succeeded }
}
