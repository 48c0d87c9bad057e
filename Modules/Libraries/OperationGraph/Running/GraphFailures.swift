/// All failures of a run that kept going.
public struct GraphFailures: Error, CustomStringConvertible {
  /// The failure of one operation.
  public struct Failure: Sendable {
    /// The name of the operation in reports.
    public let operation: String
    public let error: any Error
  }

  /// The failures, in the order in which they occurred.
  public let failures: [Failure]

  public var description: String {
    failures.map { "“\($0.operation)” failed: \($0.error)" }.listed(separator: "; ")
  }
}
