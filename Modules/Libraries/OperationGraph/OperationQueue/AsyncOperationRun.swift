internal import AsyncRuntime

/// The run of one operation outside a graph. The operation has a token like those of a graph, and no values.
final class AsyncOperationRun: OperationHost {
  private let operation: AsyncOperation
  let runtime: any Runtime
  private static let values = RunValues(SlotList())

  init(of operation: AsyncOperation, on runtime: any Runtime) {
    self.operation = operation
    self.runtime = runtime
  }

  var places: RunValues.Places { Self.values.places }
  /// Asynchronous functions run on the pool, wherever the operation starts.
  var placement: Placement { .pool }
  var cancellation: Cancellation { operation.cancellation }
  func name(of _: Int32) -> String { operation.name }
  func span(of _: Int32) -> Span { .none }
  /// The operation has no predecessors in this run.
  func ending(of _: Int32) -> Ending { .skipped }
  func end(_: Int32, _ failure: (any Error)?) { operation.end(failure) }
}
