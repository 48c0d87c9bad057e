internal import AsyncRuntime

/// The run of an operation, as far as the operation needs it.
protocol OperationHost: AnyObject, Sendable {
  var table: OperationTable { get }
  /// Where the values of the run stand.
  var places: RunValues.Places { get }
  var runtime: any Runtime { get }
  /// Where operations start.
  var placement: Placement { get }

  /// What calls off the whole run.
  var cancellation: Cancellation { get }

  /// The place of the operation's current start in the trace; `.none` if the run does not tell of it.
  func span(of operation: Int32) -> Span

  /// How an operation ended that has.
  func ending(of operation: Int32) -> Ending

  /// An operation that ends through its token has. Called once for each token, from anywhere, after its
  /// value has been stored; nil is a success.
  func end(_ operation: Int32, _ failure: (any Error)?)
}
