internal import Synchronization

/// The state that all runs of a graph without options share: the progress of their operations, and
/// how these end.
///
/// Safe to share: `cells` are atomic. The entries of `links` belong to the thread that holds their list. The thread
/// that ends the last operation calls `completion`, once.
struct FlatRunCore: ~Copyable, @unchecked Sendable {
  private let graph: GraphStorage
  var table: OperationTable { @inline(__always) _read { yield graph.table } }
  let plan: GraphPlan
  let values: RunValues
  let placement: Placement
  let runtime: any Runtime
  let cancellation: Cancellation
  private let completion: @Sendable (Result<GraphResult, any Error>) -> Void
  /// Nil if the run is not traced.
  let trace: FlatTrace?

  /// For each operation: the number of predecessors that it still waits for, and later its progress.
  let cells: UnsafeMutablePointer<Atomic<Int32>>
  let links: ReadyList.Links

  /// - Parameters:
  ///   - values: must contain the values of the inputs.
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
      // An atomic number has the same memory layout as a plain number.
      UnsafeMutableRawPointer(cells).copyMemory(
        from: counts, byteCount: plan.count * MemoryLayout<Int32>.stride)
    }
  }

  deinit {
    cells.deallocate()
    links.deallocate()
  }

  /// Ends the run, after all operations that were started have ended.
  func conclude(_ failure: (any Error)?) {
    let result: Result<GraphResult, any Error> =
      failure.map { .failure($0) } ?? .success(GraphResult(graph, values))
    guard let trace else { return completion(result) }
    trace.run.record(trace.run.end(failure))
    trace.run.performForCaller { completion(result) }
  }

  /// Starts an operation of `host` on the calling thread.
  ///
  /// - Parameter failure: receives the error that it throws.
  /// - Returns: whether it has ended; if not, its token ends it later.
  @inline(__always)
  func execute(
    _ operation: Int32, for host: any OperationHost, failure: inout (any Error)?
  ) -> Bool {
    trace == nil
      ? perform(operation, for: host, failure: &failure)
      : executeTraced(operation, for: host, failure: &failure)
  }

  // A separate function, so that a run without a trace does not pay for it.
  @inline(never)
  private func executeTraced(
    _ operation: Int32, for host: any OperationHost, failure: inout (any Error)?
  ) -> Bool {
    var hasEnded = false
    trace?.start(operation) {
      hasEnded = perform(operation, for: host, failure: &failure)
      if hasEnded { trace?.end(operation, failure, plan) }
    }
    return hasEnded
  }

  /// Records that one operation freed the last place for another one, which is about to start.
  ///
  /// - Parameter one: the operation that ended; negative if there was none, or if the run is not
  ///   traced.
  @inline(__always)
  func passPlace(from one: Int32, to other: Int32) {
    if one >= 0 { recordPassing(from: one, to: other) }
  }

  @inline(never)
  private func recordPassing(from one: Int32, to other: Int32) {
    trace?.passPlace(from: one, to: other, plan)
  }

  @inline(__always)
  private func perform(
    _ operation: Int32, for host: any OperationHost, failure: inout (any Error)?
  ) -> Bool {
    switch table.works[Int(operation)] {
    case .plain(let body):
      do { try body() } catch let error { failure = error }
      return true
    case .function(let body):
      do {
        try body(OperationFrame(host: host, values: values.places))
      } catch let error {
        failure = error
      }
      return true
    case .starting(let body):
      cells[Int(operation)].store(Progress.begun, ordering: .relaxed)
      body(
        OperationFrame(host: host, values: values.places), OperationToken(of: operation, in: host))
      return hasEnded(whenReturned: operation)
    }
  }

  /// Counts the end of a predecessor.
  ///
  /// - Returns: whether the successor no longer waits for any other operation.
  func isReady(_ successor: Int32) -> Bool {
    // A successor with a single predecessor needs no counting.
    plan.predecessorCounts[Int(successor)] == 1
      || cells[Int(successor)].subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  // MARK: Progress of an operation

  /// Marks an operation that is about to start. Unless it ends through its token, it ends when it returns. Used by runs
  /// that read `hasLeftSome`.
  func markBegun(_ operation: Int32) {
    cells[Int(operation)].store(Progress.ended, ordering: .relaxed)
  }

  /// Whether any operation has not started. Use it only when all started operations have ended.
  ///
  /// - Complexity: O(operations)
  var hasLeftSome: Bool {
    (0..<plan.count).contains { cells[$0].load(ordering: .relaxed) != Progress.ended }
  }

  /// The values of the cell of an operation that has started and ends through its token.
  private enum Progress {
    static let begun: Int32 = 0
    /// It has started, and the code that started it has returned.
    static let returned: Int32 = -1
    static let ended: Int32 = -2
  }

  /// Notes that the code that started the operation has returned.
  ///
  /// - Returns: whether the operation had ended by then; if not, the thread that ends it continues.
  private func hasEnded(whenReturned operation: Int32) -> Bool {
    !cells[Int(operation)].compareExchange(
      expected: Progress.begun, desired: Progress.returned, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Marks an operation as ended.
  ///
  /// - Returns: whether the code that started it had returned by then, so that the caller must continue.
  func markEnded(_ operation: Int32, _ failure: (any Error)?) -> Bool {
    if let failure { trace?.note(failure, of: operation) }
    let hasReturned =
      cells[Int(operation)].exchange(Progress.ended, ordering: .acquiringAndReleasing)
      == Progress.returned
    if hasReturned { trace?.end(operation, failure, plan) }
    return hasReturned
  }
}
