internal import DequeModule
internal import Synchronization

/// The data of a flat run, and the progress of its operations.
///
/// It is a structure that cannot be copied, because a run reads it several times for each operation. The properties of a
/// class would be retained each time.
///
/// Safe to share: `cells` are atomic. The entries of `links` belong to the thread that holds their list. The thread
/// that ends the last operation calls `completion`, once.
struct FlatRunCore: ~Copyable, @unchecked Sendable {
  private let graph: GraphStorage
  var table: OperationTable { @inline(__always) _read { yield graph.table } }
  let plan: GraphPlan
  let values: RunValues
  private let completion: @Sendable (Result<GraphResult, any Error>) -> Void

  /// For each operation: the number of predecessors that it still waits for, and later its progress.
  private let cells: UnsafeMutablePointer<Atomic<Int32>>
  let links: ReadyList.Links

  /// - Parameters:
  ///   - values: must contain the values of the inputs.
  init(
    _ graph: GraphStorage, _ plan: GraphPlan, _ values: RunValues,
    completion: @escaping @Sendable (Result<GraphResult, any Error>) -> Void
  ) {
    self.graph = graph
    self.plan = plan
    self.values = values
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
    completion(failure.map { .failure($0) } ?? .success(GraphResult(graph, values)))
  }

  /// Starts an operation of `host` on the calling thread.
  ///
  /// - Parameter failure: receives the error that it throws.
  /// - Returns: whether it has ended; if not, the thread that ends it continues.
  @inline(__always)
  func perform(
    _ operation: Int32, for host: any OperationHost, failure: inout (any Error)?
  ) -> Bool {
    switch graph.works[Int(operation)] {
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
      return !cells[Int(operation)].compareExchange(
        expected: Progress.begun, desired: Progress.returned, ordering: .acquiringAndReleasing
      ).exchanged
    }
  }

  /// Marks an operation that ends through its token as ended.
  ///
  /// - Returns: whether the code that started it had returned by then, so that the caller must continue.
  func markEnded(_ operation: Int32) -> Bool {
    cells[Int(operation)].exchange(Progress.ended, ordering: .acquiringAndReleasing)
      == Progress.returned
  }

  /// The values of the cell of an operation that has started and ends through its token.
  private enum Progress {
    static let begun: Int32 = 0
    /// The operation has started, and the code that started it has returned.
    static let returned: Int32 = -1
    static let ended: Int32 = -2
  }

  /// Counts the end of a predecessor.
  ///
  /// - Returns: whether the successor waits for no other operation any more.
  func isReady(_ successor: Int32) -> Bool {
    // A successor with a single predecessor needs no counting.
    plan.predecessorCounts[Int(successor)] == 1
      || cells[Int(successor)].subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Counts down the successors of an operation that has ended.
  ///
  /// - Returns: those that are ready now.
  func successors(readyAfter operation: Int32) -> ReadyList {
    var ready = ReadyList()
    for successor in plan.successors(of: operation) where isReady(successor) {
      ready.append(successor, links)
    }
    return ready
  }
}
