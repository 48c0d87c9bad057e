/// Operations that wait for each other, so that none of them could ever start.
public struct OperationCycle: Error, Hashable, CustomStringConvertible {
  /// The labels along the cycle. Each operation waits for the next one, and the first label is repeated at the end.
  public let labels: [String]

  init(_ labels: [String]) { self.labels = labels + labels.prefix(1) }

  /// The labels in a phrase: “a after b after a”. A long cycle is shortened to its two ends.
  public var path: String { labels.alongCycle }

  public var description: String {
    "these operations wait for each other: \(path); remove one of the dependencies"
  }
}
