/// One run of a graph with its input, the values of its operations, and who wants them.
///
/// Safe to share: see `GraphRun`.
final class OperationRun<Input: Sendable, Output: Sendable>: GraphRun, @unchecked Sendable {
  private let typedInput: UnsafeMutablePointer<Input>
  private let values: UnsafeMutablePointer<Output>
  private let completion: @Sendable (Result<[Output], any Error>) -> Void
  private var areValuesTaken = false

  init(
    _ operations: [Operation], _ plan: GraphPlan, input: Input, width: Int,
    on placement: Placement, runtime: any Runtime, cancellation: Cancellation,
    completion: @escaping @Sendable (Result<[Output], any Error>) -> Void
  ) {
    typedInput = .allocate(capacity: 1)
    typedInput.initialize(to: input)
    values = .allocate(capacity: operations.count)
    self.completion = completion
    super.init(
      operations, plan, input: typedInput, values: values,
      valueStride: MemoryLayout<Output>.stride, width: width, on: placement, runtime: runtime,
      cancellation: cancellation)
  }

  deinit {
    typedInput.deinitialize(count: 1)
    typedInput.deallocate()
    if !areValuesTaken {
      for index in operations.indices where hasValue(index) {
        (values + index).deinitialize(count: 1)
      }
    }
    values.deallocate()
  }

  override func conclude(_ failure: (any Error)?) {
    if let failure { return completion(.failure(failure)) }
    let count = operations.count
    areValuesTaken = true
    // The one empty array of a process is shared: writing its count looks like a race.
    guard count > 0 else { return completion(.success([])) }
    let all = [Output](unsafeUninitializedCapacity: count) { places, initialized in
      guard let start = places.baseAddress else { return }
      start.moveInitialize(from: values, count: count)
      initialized = count
    }
    completion(.success(all))
  }
}
