internal import AsyncRuntime

/// The run of an operation, reduced to the parts that the operation needs.
protocol OperationHost: AnyObject, Sendable {
  /// The name of an operation in reports.
  func name(of operation: Int32) -> String
  /// The memory for the values of the run.
  var places: RunValues.Places { get }
  var runtime: any Runtime { get }
  /// The placement in which operations start.
  var placement: Placement { get }

  /// Cancels the whole run.
  var cancellation: Cancellation { get }

  /// The span of the operation's current attempt in the trace; `.none` if the run is not traced.
  func span(of operation: Int32) -> Span

  /// How an operation ended.
  ///
  /// - Precondition: it has ended.
  func ending(of operation: Int32) -> Ending

  /// Reports the end of an operation that ends through its token. Called once for each token, on any thread, after its
  /// value was stored. A nil `failure` means success.
  func end(_ operation: Int32, _ failure: (any Error)?)
}
