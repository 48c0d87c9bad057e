internal import Synchronization

/// Guards the completion of one operation in one run: the first call counts, a second is reported, and
/// letting go of it uncalled fails the operation.
final class OperationToken: Sendable {
  let run: GraphRun
  private let operation: Int32
  private let isCalled = Atomic<Bool>(false)

  init(of operation: Int32, in run: GraphRun) {
    self.operation = operation
    self.run = run
  }

  deinit {
    guard !isCalled.load(ordering: .acquiring) else { return }
    // Somebody's lock may be held where the last reference goes: report from elsewhere.
    let (run, operation) = (run, operation)
    run.runtime.pool.schedule {
      let error = CompletionDropped(step: run.operations.name(of: operation))
      run.runtime.misuse("completion-dropped", error.description)
      run.fail(operation, error)
    }
  }

  /// - Parameter Output: the type of the graph's values.
  func complete<Output>(_ result: Result<Output, any Error>) {
    guard !isCalled.exchange(true, ordering: .acquiringAndReleasing) else {
      run.runtime.misuse(
        "completed-twice",
        "“\(run.operations.name(of: operation))” called its completion again; the second call was "
          + "dropped", of: LaneContext.current.span)
      return
    }
    switch result {
    case .success(let value):
      run.place(of: operation).assumingMemoryBound(to: Output.self).initialize(to: value)
      run.complete(operation)
    case .failure(let error):
      run.fail(operation, error)
    }
  }
}
