internal import AsyncRuntime
internal import Synchronization

extension AsyncOperation {
  /// Starts the operation without a queue, if it is ready.
  ///
  /// - Parameters:
  ///   - placement: where its work starts. Asynchronous functions run on the pool.
  ///   - runtime: the source of time and threads.
  /// - Throws: ``AsyncOperationError/notReady(_:waitsFor:)`` if an operation that it depends on has not ended;
  ///   ``AsyncOperationError/alreadyEnqueued(_:)`` if it is in a queue, or was started.
  public func start(
    on placement: Placement = .inline, runtime: any Runtime = LiveRuntime.shared
  ) throws(AsyncOperationError) {
    guard state.withLock({ $0.reserve() }) else { throw .alreadyEnqueued(name) }
    let unfinished = state.withLock { $0.unfinishedDependencies.map(\.name) }
    guard unfinished.isEmpty else {
      state.withLock { $0.unreserve() }
      throw .notReady(name, waitsFor: unfinished)
    }
    state.withLock { $0.settle(in: .own(placement, runtime)) }
    evaluate()
  }

  /// Takes the next step of the operation, if there is one.
  func evaluate() {
    switch state.withLock({ $0.evaluate() }) {
    case .nothing: break
    case .becomesReady(.queue(let queue)): queue.becameReady(self)
    case .becomesReady(.own(let placement, let runtime)):
      placement.run(on: runtime) { if !self.begin(on: runtime) { self.evaluate() } }
    case .ends(let ending): perform(ending)
    }
  }

  func dependencyFinished(_ other: AsyncOperation, _ outcome: Outcome) {
    state.withLock { $0.dependencyFinished(other, outcome) }
    evaluate()
  }

  /// Starts the work of the operation on the calling thread.
  ///
  /// - Returns: whether it started. If not, evaluate it again.
  func begin(on runtime: any Runtime) -> Bool {
    guard let work = state.withLock({ $0.begin() }) else { return false }
    switch work {
    case .function(let body):
      var failure: (any Error)?
      do { try body() } catch { failure = error }
      end(failure)
    case .callback(let body): body(Done(token(on: runtime)))
    case .asynchronous(let body):
      token(on: runtime).startTask(priority: priority) {
        self.taskIdentity.store(Self.currentTask ?? 0, ordering: .relaxed)
        try await Self.$running.withValue(self) { try await body() }
      }
    }
    return true
  }

  private func token(on runtime: any Runtime) -> OperationToken {
    OperationToken(of: 0, in: AsyncOperationRun(of: self, on: runtime))
  }

  /// Ends the operation after its work has ended.
  func end(_ failure: (any Error)?) {
    let outcome: Outcome =
      switch failure {
      case nil: .succeeded
      case is CancellationError: .cancelled
      case let error?: .failed(error)
      }
    if let ending = state.withLock({ $0.end(outcome) }) { perform(ending) }
  }

  /// Notifies the observers first, then the dependents and the queue. However many operations end because of each
  /// other, the stack does not grow.
  private func perform(_ ending: AsyncOperationState.Ending) {
    LaneContext.current.perform {
      for observer in ending.observers { observer(ending.outcome) }
      for dependent in ending.dependents { dependent.dependencyFinished(self, ending.outcome) }
      if case .queue(let queue)? = ending.home { queue.finished(self) }
    }
  }

  /// The operation that the calling task belongs to.
  @TaskLocal static var running: AsyncOperation?

  /// Distinguishes the calling task from others; nil outside any task.
  static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
