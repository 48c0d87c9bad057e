/// What an operation of a graph is called and does, whatever the types of its graph.
struct Operation: Sendable {
  /// The types of what the pointers point to are those of the graph that the operation was added to.
  enum Work: Sendable {
    /// Writes the value to its place, or throws.
    case function(
      @Sendable (_ input: UnsafeRawPointer, _ place: UnsafeMutableRawPointer) throws -> Void)
    /// Begins, and ends through the token.
    case starting(@Sendable (OperationToken) -> Void)
  }

  let label: String
  let work: Work
}

extension [Operation] {
  /// What a report calls an operation.
  func name(of operation: Int32) -> String {
    let label = self[Int(operation)].label
    return label.isEmpty ? "operation \(operation + 1)" : label
  }
}
