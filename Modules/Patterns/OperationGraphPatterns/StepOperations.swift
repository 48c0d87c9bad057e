import AsyncPatterns
import OperationGraph

/// Steps as operations of a queue: the common part of `operations` and `barrier`.
struct StepOperations {
  let steps: [Step]
  let operations: [AsyncOperation]
  let queue: AsyncOperationQueue
  private let name: String
  private let results: StepResults
  private let scope: Scope

  /// - Parameter stopsAtFailure: whether no step starts after a failure.
  init(
    _ steps: [Step], width: Int, input: Value, in scope: Scope, stopsAtFailure: Bool,
    called name: String
  ) {
    let results = StepResults(steps.count)
    self.steps = steps
    self.name = name
    self.scope = scope
    self.results = results
    queue = AsyncOperationQueue(
      name, maxConcurrentOperationCount: width, on: .inline, runtime: scope.runtime)
    operations = steps.enumerated().map { index, step in
      AsyncOperation.withCompletion(step.label) { done in
        guard !scope.isCancelled, !stopsAtFailure || !results.hasFailure else {
          return done(.failure(CancellationError()))
        }
        scope.start(step, input: input) { result in
          results.set(result, at: index)
          done(result.map { _ in })
        }
      }
    }
  }

  /// Starts the operations, and completes when all have ended.
  ///
  /// - Parameter enqueue: adds the operations to the queue, which is suspended meanwhile.
  func run(completion: @escaping Completion, enqueue: () throws -> Void) {
    let (queue, results, scope) = (queue, results, scope)
    let group = JoinGroup(name, runtime: scope.runtime)
    for (index, operation) in operations.enumerated() {
      let membership = group.membership()
      operation.onCompletion { outcome in
        if case .cancelled = outcome, scope.isCancelled {
          results.set(.failure(CancellationError()), at: index)
        }
        membership.leave()
      }
    }
    queue.isSuspended = true
    do {
      try enqueue()
    } catch {
      // Not reached in practice: a pattern validates its steps before it runs them.
      results.set(.failure(error), at: 0)
      for operation in operations { operation.cancel() }
    }
    let registration = scope.onCancel { queue.cancelAllOperations() }
    group.notify(on: .inline) {
      registration.dispose()
      completion(results.combined)
    }
    queue.isSuspended = false
  }
}
