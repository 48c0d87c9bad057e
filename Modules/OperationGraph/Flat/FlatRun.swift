internal import Synchronization

/// One run of a graph without options, as far as all ways to run one are alike: where its operations stand,
/// and how it ends.
///
/// Safe to share: `cells` are atomic; `links` belong to whoever holds the list they are part of;
/// `completion` is called once, by whoever ends the last operation.
class FlatRun: OperationHost, @unchecked Sendable {
  private final let graph: GraphStorage
  final var table: OperationTable { @inline(__always) _read { yield graph.table } }
  final let plan: GraphPlan
  final let values: RunValues
  final var places: RunValues.Places { values.places }
  final let placement: Placement
  final let runtime: any Runtime
  final let cancellation: Cancellation
  private let completion: @Sendable (Result<GraphResult, any Error>) -> Void
  /// Nil if nobody listens.
  final let trace: FlatTrace?

  /// For each operation: how many it still waits for, and then how far it has come.
  final let cells: UnsafeMutablePointer<Atomic<Int32>>
  final let links: ReadyList.Links

  /// - Parameters:
  ///   - values: those of the inputs are there.
  init(
    _ graph: GraphStorage, _ plan: GraphPlan, _ values: RunValues, on placement: Placement,
    runtime: any Runtime, cancellation: Cancellation, trace: FlatTrace?,
    completion: @escaping @Sendable (Result<GraphResult, any Error>) -> Void
  ) {
    self.graph = graph
    self.plan = plan
    self.values = values
    self.placement = placement
    self.runtime = runtime
    self.cancellation = cancellation
    self.trace = trace
    self.completion = completion
    cells = .allocate(capacity: plan.count)
    links = .allocate(capacity: plan.count)
    if let counts = plan.predecessorCounts.baseAddress {
      // An atomic number is laid out like the number.
      UnsafeMutableRawPointer(cells).copyMemory(
        from: counts, byteCount: plan.count * MemoryLayout<Int32>.stride)
    }
  }

  deinit {
    cells.deallocate()
    links.deallocate()
  }

  /// Lets the operation's end count. Called once for each token.
  func end(_ operation: Int32, _ failure: (any Error)?) {
    preconditionFailure("a subclass says what follows")
  }

  /// An operation that has ended before another one starts has succeeded: or else nothing would start.
  final func ending(of operation: Int32) -> Ending { .succeeded }

  /// All operations that were started have ended: with a value each, or else there is a failure.
  final func conclude(_ failure: (any Error)?) {
    let result: Result<GraphResult, any Error> =
      failure.map { .failure($0) } ?? .success(GraphResult(graph, values))
    guard let trace else { return completion(result) }
    trace.run.record(trace.run.end(failure))
    trace.run.performForCaller { completion(result) }
  }

  /// Starts the operation on the calling thread.
  ///
  /// - Parameter failure: what it has thrown.
  /// - Returns: whether it has ended by now; if not, `end` ends it later.
  @inline(__always)
  final func execute(_ operation: Int32, failure: inout (any Error)?) -> Bool {
    trace == nil
      ? perform(operation, failure: &failure) : executeTold(operation, failure: &failure)
  }

  // Out of the way of those whom nobody listens to.
  @inline(never)
  private final func executeTold(_ operation: Int32, failure: inout (any Error)?) -> Bool {
    var hasEnded = false
    trace?.start(operation) { hasEnded = perform(operation, failure: &failure) }
    if hasEnded { trace?.end(operation, failure, plan) }
    return hasEnded
  }

  /// The end of one operation has left its place, the last that was to be had, to another one, which is about to
  /// start, if there was one: it is below zero else, and also if nobody listens.
  @inline(__always)
  final func passPlace(from one: Int32, to other: Int32) {
    if one >= 0 { tellPassing(from: one, to: other) }
  }

  @inline(never)
  private final func tellPassing(from one: Int32, to other: Int32) {
    trace?.passPlace(from: one, to: other, plan)
  }

  @inline(__always)
  private final func perform(_ operation: Int32, failure: inout (any Error)?) -> Bool {
    switch table.works[Int(operation)] {
    case .plain(let body):
      do { try body() } catch let error { failure = error }
      return true
    case .function(let body):
      do {
        try body(OperationFrame(host: self, values: values.places))
      } catch let error {
        failure = error
      }
      return true
    case .starting(let body):
      cells[Int(operation)].store(Progress.begun, ordering: .relaxed)
      body(
        OperationFrame(host: self, values: values.places), OperationToken(of: operation, in: self))
      return hasEnded(whenReturned: operation)
    }
  }

  final func span(of operation: Int32) -> Span { trace?.span(of: operation) ?? .none }

  /// Counts an operation's end down from one that waits for it.
  ///
  /// - Returns: whether that one waits for none any more.
  final func isReady(_ successor: Int32) -> Bool {
    // One that waits for a single other needs no counting.
    plan.predecessorCounts[Int(successor)] == 1
      || cells[Int(successor)].subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  // MARK: How far an operation has come

  /// The operation is about to start: unless it ends through its token it has ended when it returns. For
  /// runs that ask `hasLeftSome`.
  final func markBegun(_ operation: Int32) {
    cells[Int(operation)].store(Progress.ended, ordering: .relaxed)
  }

  /// Whether some operation never began, once all that did have ended.
  ///
  /// - Complexity: O(operations)
  final var hasLeftSome: Bool {
    (0..<plan.count).contains { cells[$0].load(ordering: .relaxed) != Progress.ended }
  }

  /// What the cell holds of an operation that has begun and ends through its token.
  private enum Progress {
    static let begun: Int32 = 0
    /// Begun, and the code that began it has returned.
    static let returned: Int32 = -1
    static let ended: Int32 = -2
  }

  /// The code that began the operation has returned.
  ///
  /// - Returns: whether the operation had ended by then; if not, who ends it goes on from there.
  private func hasEnded(whenReturned operation: Int32) -> Bool {
    !cells[Int(operation)].compareExchange(
      expected: Progress.begun, desired: Progress.returned, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// The operation has come to its end.
  ///
  /// - Returns: whether the code that began it had returned by then, so that the caller is to go on.
  final func markEnded(_ operation: Int32, _ failure: (any Error)?) -> Bool {
    if let failure { trace?.note(failure, of: operation) }
    let hasReturned =
      cells[Int(operation)].exchange(Progress.ended, ordering: .acquiringAndReleasing)
      == Progress.returned
    if hasReturned { trace?.end(operation, failure, plan) }
    return hasReturned
  }
}
