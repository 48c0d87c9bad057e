internal import AsyncRuntime

/// A run of a graph without options, reduced to the parts that operations and their tokens need.
protocol FlatRun: OperationHost {
  var core: FlatRunCore { get }
}

extension FlatRun {
  var table: OperationTable { core.table }
  func name(of operation: Int32) -> String { table.name(of: operation) }
  var places: RunValues.Places { core.values.places }
  var placement: Placement { core.placement }
  var runtime: any Runtime { core.runtime }
  var cancellation: Cancellation { core.cancellation }

  var links: ReadyList.Links { @inline(__always) get { core.links } }

  func span(of operation: Int32) -> Span { core.trace?.span(of: operation) ?? .none }

  /// If an operation ended before another one starts, it succeeded. After a failure nothing would start.
  func ending(of operation: Int32) -> Ending { .succeeded }
}
