internal import AsyncRuntime
internal import Synchronization

extension AsyncOperation {
  /// Starts it without a queue, if it is ready.
  ///
  /// - Parameters:
  ///   - placement: where its work starts; asynchronous functions run on the pool.
  ///   - runtime: where time and threads come from.
  /// - Throws: ``AsyncOperationError/notReady(_:waitsFor:)`` if something that it depends on has not ended, and
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

  /// Sees whether it can go on, and lets it.
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

  /// Begins its work, on the calling thread.
  ///
  /// - Returns: whether it has begun; if not it is to be evaluated again.
  func begin(on runtime: any Runtime) -> Bool {
    guard let work = state.withLock({ $0.begin() }) else { return false }
    switch work {
    case .function(let body):
      end(Result { try body() })
    case .callback(let body):
      body(Done(CompletionToken(self, runtime)))
    case .asynchronous(let body):
      let task = Task(executorPreference: SchedulerExecutor(runtime.pool), priority: priority) {
        self.taskIdentity.store(Self.currentTask ?? 0, ordering: .relaxed)
        do {
          try await Self.$running.withValue(self) { try await body() }
          self.end(.success(()))
        } catch {
          self.end(.failure(error))
        }
      }
      let registration = cancellation.onCancel { task.cancel() }
      onFinished { _ in registration.dispose() }
    }
    return true
  }

  /// Its work has ended.
  func end(_ result: Result<Void, any Error>) {
    let outcome: Outcome =
      switch result {
      case .success: .succeeded
      case .failure(is CancellationError): .cancelled
      case .failure(let error): .failed(error)
      }
    if let ending = state.withLock({ $0.end(outcome) }) { perform(ending) }
  }

  /// Tells everybody, first those who only want to know. However many end because of each other, they need
  /// no stack.
  private func perform(_ ending: AsyncOperationState.Ending) {
    LaneContext.current.perform {
      for observer in ending.observers { observer(ending.outcome) }
      for dependent in ending.dependents { dependent.dependencyFinished(self, ending.outcome) }
      if case .queue(let queue)? = ending.home { queue.finished(self) }
    }
  }

  /// The operation whose work the calling task is a part of.
  @TaskLocal static var running: AsyncOperation?

  /// What tells the calling task from others; nil outside any.
  static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
