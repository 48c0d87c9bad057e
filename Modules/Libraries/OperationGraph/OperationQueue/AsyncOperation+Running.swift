internal import AsyncRuntime

extension AsyncOperation {
  /// Starts the operation without a queue of the caller, if it is ready.
  ///
  /// - Parameters:
  ///   - placement: where its work starts. Asynchronous functions run on the pool.
  ///   - runtime: the source of time and threads.
  /// - Throws: ``AsyncOperationError/notReady(_:waitsFor:)`` if an operation that it depends on has not ended;
  ///   ``AsyncOperationError/alreadyEnqueued(_:)`` if it is in a queue, or was started.
  public func start(
    on placement: Placement = .inline, runtime: any Runtime = LiveRuntime.shared
  ) throws {
    let unfinished = dependencies
    guard unfinished.isEmpty else {
      throw AsyncOperationError.notReady(name, waitsFor: unfinished.map(\.name))
    }
    try AsyncOperationQueue(on: placement, runtime: runtime).addOperation(self)
  }

  /// The queue that it was added to.
  var queue: AsyncOperationQueue? { state.withLock { $0.queue } }

  /// Changes the state under the lock, and takes the resulting step after releasing it.
  func update(_ change: (inout AsyncOperationState) -> Void) {
    let step = state.withLock { state in
      change(&state)
      return state.nextStep()
    }
    switch step {
    case .nothing: break
    case .waitForPlace(let queue): queue.becameReady(self)
    case .notify(let observers, let ending, _): notify(observers, of: ending)
    }
  }

  /// Notifies the observers first, then the dependents, which defer their part, and then the queue. However many
  /// operations end because of each other, the stack does not grow.
  private func notify(_ observers: [AsyncOperationState.Observer], of ending: Ending) {
    LaneContext.current.perform { [self] in
      for observer in observers { observer(self, ending) }
      LaneContext.current.perform { [self] in queue?.finished(self) }
    }
  }
}

/// The operation is the only one of a run without values.
extension AsyncOperation: OperationHost {
  private static let values = RunValues(SlotList())

  var places: RunValues.Places { Self.values.places }
  /// Work runs only in a queue.
  var runtime: any Runtime { queue?.runtime ?? LiveRuntime.shared }
  /// Asynchronous functions run on the pool, wherever the operation starts.
  var placement: Placement { .pool }
  func name(of _: Int32) -> String { name }
  func span(of _: Int32) -> Span { .none }
  func ending(of _: Int32) -> Ending { .skipped }
  func end(_: Int32, _ failure: (any Error)?) { update { $0.end(Ending(failure)) } }
}
