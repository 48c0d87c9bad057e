/// All failures of a run that kept going.
public struct GraphFailures: Error, CustomStringConvertible {
  /// One operation's.
  public struct Failure: Sendable {
    /// What reports call the operation.
    public let operation: String
    public let error: any Error
  }

  /// In the order in which they happened.
  public let failures: [Failure]

  public var description: String {
    failures.map { "“\($0.operation)” failed: \($0.error)" }.told(separator: "; ")
  }
}

/// An operation took longer than it may.
public struct OperationTimeout: Error, Hashable, CustomStringConvertible {
  /// What reports call the operation.
  public let operation: String
  public let limit: Duration

  public var description: String {
    "“\(operation)” took longer than the \(limit.shortDescription) it may"
  }
}
