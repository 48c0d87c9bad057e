/// One run of a graph with what its operations do and yield.
///
/// Safe to share: the place of a value is written once, by whoever ends its operation, and read by whoever
/// concludes the run, which is after all operations have ended.
final class OperationRun<Input: Sendable, Output: Sendable>: GraphRun, @unchecked Sendable {
  typealias Operation = OperationGraph<Input, Output>.Operation

  private let operations: [Operation]
  private let input: Input
  private let completion: @Sendable (Result<[Output], any Error>) -> Void
  private let values: UnsafeMutablePointer<Output>
  private var areValuesTaken = false

  init(
    _ operations: [Operation], _ plan: GraphPlan, input: Input, width: Int,
    on placement: Placement, runtime: any Runtime, cancellation: Cancellation,
    completion: @escaping @Sendable (Result<[Output], any Error>) -> Void
  ) {
    self.operations = operations
    self.input = input
    self.completion = completion
    values = .allocate(capacity: operations.count)
    super.init(
      plan, width: width, on: placement, runtime: runtime, cancellation: cancellation)
  }

  deinit {
    if !areValuesTaken {
      for index in operations.indices where hasValue(index) {
        (values + index).deinitialize(count: 1)
      }
    }
    values.deallocate()
  }

  override func execute(_ operation: Int32) -> Bool {
    switch operations[Int(operation)].work {
    case .function(let body):
      do {
        _ = end(operation, .success(try body(input)))
      } catch {
        _ = end(operation, .failure(error))
      }
      return true
    case .callback(let body):
      body(input, OperationGraph.Done(OperationToken(of: operation, in: self)))
    case .asynchronous(let body):
      startTask(body, OperationToken(of: operation, in: self))
    }
    return hasEnded(whenReturned: operation)
  }

  /// Called once for each operation, through its token.
  func complete(_ operation: Int32, _ result: Result<Output, any Error>) {
    if end(operation, result) { ended(operation) }
  }

  /// - Returns: whether the caller is to go on from there.
  private func end(_ operation: Int32, _ result: Result<Output, any Error>) -> Bool {
    switch result {
    case .success(let value):
      (values + Int(operation)).initialize(to: value)
      return markEnded(operation, hasValue: true)
    case .failure(let error):
      stop(error)
      return markEnded(operation, hasValue: false)
    }
  }

  override func conclude(_ failure: (any Error)?) {
    if let failure { return completion(.failure(failure)) }
    let count = operations.count
    let all = [Output](unsafeUninitializedCapacity: count) { places, initialized in
      guard let start = places.baseAddress else { return }
      start.moveInitialize(from: values, count: count)
      initialized = count
    }
    areValuesTaken = true
    completion(.success(all))
  }

  private func startTask(
    _ body: @escaping @Sendable (Input) async throws -> Output,
    _ token: OperationToken<Input, Output>
  ) {
    let (runtime, input, span) = (runtime, input, LaneContext.current.span)
    let registration = KeptRegistration()
    runtime.asynchronousBodyStarted(span)
    let task = Task(executorPreference: executor) {
      let result: Result<Output, any Error>
      do { result = .success(try await body(input)) } catch { result = .failure(error) }
      runtime.asynchronousBodyEnded(span)
      registration.dispose()
      token.complete(result)
    }
    registration.keep(cancellation.onCancel { task.cancel() })
  }

  /// Where asynchronous functions run.
  private var executor: SchedulerExecutor {
    switch placement {
    case .main: SchedulerExecutor(runtime.main)
    case .pool, .inline: SchedulerExecutor(runtime.pool)
    case .scheduler(let scheduler): SchedulerExecutor(scheduler)
    }
  }

  /// Which operation it is, for a report.
  func description(of operation: Int32) -> String {
    OperationGraph<Input, Output>.name(of: operation, among: operations)
  }
}

/// A registration that may be disposed of before it has come to be kept.
private final class KeptRegistration: Sendable {
  private enum State {
    case expected
    case kept(Cancellation.Registration)
    case disposed
  }

  private let state = Locked(State.expected)

  func keep(_ registration: Cancellation.Registration) {
    let isDisposed = state.withLock { state in
      if case .disposed = state { return true }
      state = .kept(registration)
      return false
    }
    if isDisposed { registration.dispose() }
  }

  func dispose() {
    let registration = state.withLock { state -> Cancellation.Registration? in
      defer { state = .disposed }
      if case .kept(let registration) = state { return registration }
      return nil
    }
    registration?.dispose()
  }
}
