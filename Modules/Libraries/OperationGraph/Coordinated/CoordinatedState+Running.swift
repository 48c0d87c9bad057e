// Selecting the next operation, and the phases of running operations.

extension CoordinatedState {
  // MARK: Starting

  /// Selects the group of the next operation, if one can start.
  mutating func findNext(
    _ pool: inout ResourceState?, _ run: any ResourceUser
  ) -> (group: Int?, actions: [Action]) {
    let canStart = places > 0 && !isSuspended && !isStopped
    return ready.findNext(of: nodes, canStart: canStart, &pool, run)
  }

  /// Gives the next operation a place and the resources that it needs, if one can start.
  mutating func takeNext(
    _ pool: inout ResourceState?, _ run: any ResourceUser
  ) -> (operation: Int32?, actions: [Action]) {
    var (group, actions) = findNext(&pool, run)
    guard let group, let (operation, more) = ready.popFirst(of: group, &pool, run) else {
      return (nil, actions)
    }
    actions.add(more)
    places -= 1
    log.passedPlaces = max(log.passedPlaces - 1, 0)
    if let freed = log.lastFreed, freed.arrival > nodes[Int(operation)].arrival,
      freed.wasFull || freed.hasGivenBack && group > 0
    {
      log.appendForTrace(.passedPlace(from: freed.operation, to: operation))
    }
    setPhase(operation, .starting)
    return (operation, actions)
  }

  /// Starts the next operation of a worker. If there is none, the worker rests.
  ///
  /// - Parameter returned: the previous operation of the worker; nil if the worker was just woken.
  mutating func startNext(
    after returned: CoordinatedReturn?, _ pool: inout ResourceState?, _ run: any ResourceUser
  ) -> (start: CoordinatedStart?, actions: [Action]) {
    guard case .threads(var resting, var isWaking) = workers else { return (nil, []) }
    var actions: [Action] = []
    if let returned {
      actions.add(didReturn(returned))
      actions.add(notifySuccessors())
      actions.add(ready.giveBack(&pool, run))
    } else {
      isWaking = false
    }
    let (operation, more) = takeNext(&pool, run)
    actions.add(more)
    if operation == nil { resting += 1 }
    workers = .threads(resting: resting, isWaking: isWaking)
    return (operation.flatMap { start($0) }, actions)
  }

  /// Starts an operation that has a place.
  ///
  /// - Returns: nil if it was cancelled meanwhile.
  mutating func start(_ operation: Int32) -> CoordinatedStart? {
    let index = Int(operation)
    guard case .starting = nodes[index].phase else { return nil }
    let graph = graph.storage
    let cancellation = graph.works[index].isStarting ? Cancellation() : nil
    setPhase(operation, .running(.init(cancellation: cancellation)))
    nodes[index].attempts += 1
    let attempt = nodes[index].attempts
    records?.noteStart(operation, attempt: attempt)
    log.append(.started(operation, attempt: attempt))
    return CoordinatedStart(
      operation: operation, graph: graph, cancellation: cancellation,
      timeout: nodes[index].timeout, attempt: attempt)
  }

  // MARK: Ending

  /// Notes that the code that started an operation has returned.
  mutating func didReturn(_ returned: CoordinatedReturn) -> [Action] {
    let index = Int(returned.operation)
    guard case .running(var attempt) = nodes[index].phase else { return [] }
    switch (returned.end, attempt.stage) {
    case (.ended(let failure), _), (.later, .ended(let failure)):
      return end(attempt, of: returned.operation, failure)
    case (.later, .started), (.later, .returned):
      attempt.stage = .returned
      nodes[index].phase = .running(attempt)
      return []
    }
  }

  /// Ends the attempt of an operation. This takes effect when the code that started it has returned.
  mutating func finish(_ operation: Int32, _ failure: (any Error)?) -> [Action] {
    guard case .running(var attempt) = nodes[Int(operation)].phase else { return [] }
    switch attempt.stage {
    case .returned: return end(attempt, of: operation, failure)
    case .started, .ended:
      attempt.stage = .ended(failure)
      nodes[Int(operation)].phase = .running(attempt)
      return []
    }
  }

  private mutating func end(
    _ attempt: OperationPhase.Attempt, of operation: Int32, _ failure: (any Error)?
  ) -> [Action] {
    leavePlace(operation)
    var actions: [Action] = attempt.timer.map { [.cancelTimer($0)] } ?? []
    if let cancellation = attempt.cancellation { actions.append(.release(cancellation)) }
    switch failure {
    case nil: actions.add(end(operation, .succeeded))
    case let error as CancellationError:
      actions.add(end(operation, .cancelled))
      guard !attempt.isCancelled else { break }
      // An operation that ends because its run was cancelled has not failed.
      if life == .cancelled {
        fault.cancel(error)
      } else if !policy.startsAfterFailure {
        actions.add(fail(operation, error))
      } else {
        fault.operationCancelled(error)
      }
    // Code reports its cancellation with errors of many types.
    case _? where attempt.isCancelled: actions.add(end(operation, .cancelled))
    case let error?:
      if let backoff = backoff(operation) {
        actions.add(retry(operation, backoff, error))
      } else {
        actions.add(end(operation, .failed(error)))
        actions.add(fail(operation, error))
      }
    }
    return actions
  }

  mutating func leavePlace(_ operation: Int32) {
    let group = nodes[Int(operation)].group
    if log.isTraced {
      log.lastFreed = FreedPlace(
        operation: operation, arrival: arrivals.next(), wasFull: places == log.passedPlaces,
        hasGivenBack: group > 0)
      if places == log.passedPlaces { log.passedPlaces += 1 }
    }
    places += 1
    ready.leave(group)
  }

  /// Applies to the run the effect that the failure of an operation has.
  mutating func fail(_ operation: Int32, _ error: any Error) -> [Action] {
    fault.fail(name(of: operation), error)
    // Each later failure would only look at all operations again.
    guard !isStopped else { return [] }
    return switch policy {
    case .stop: stop()
    case .cancelAll: stop() + nodes.indices.flatMap { cancel(Int32($0)) }
    case .finishIndependent, .continue: []
    }
  }

  // MARK: Retrying

  /// The delay before the next attempt; nil if there is none.
  private func backoff(_ operation: Int32) -> Backoff? {
    let attempts = nodes[Int(operation)].attempts
    guard let retry = nodes[Int(operation)].retry, attempts < retry.attempts, !isStopped
    else { return nil }
    return retry.backoff
  }

  private mutating func retry(
    _ operation: Int32, _ backoff: Backoff, _ error: any Error
  ) -> [Action] {
    let attempt = nodes[Int(operation)].attempts
    log.append(.failedAttempt(operation, attempt: attempt, error))
    guard backoff.hasDelay else {
      becomeReady(operation)
      return []
    }
    setPhase(operation, .delayed(timer: nil))
    return [.retry(operation, attempt: attempt, backoff)]
  }

  /// Stores the timer of a running attempt, or of the next attempt.
  ///
  /// - Returns: false if the timer is no longer needed.
  mutating func keepTimer(
    _ operation: Int32, attempt number: Int, _ timer: any Cancellable
  ) -> Bool {
    guard nodes[Int(operation)].attempts == number else { return false }
    switch nodes[Int(operation)].phase {
    case .delayed: nodes[Int(operation)].phase = .delayed(timer: timer)
    case .running(var attempt):
      attempt.timer = timer
      nodes[Int(operation)].phase = .running(attempt)
    case .waiting, .asking, .ready, .starting, .ended: return false
    }
    return true
  }

  /// Makes an operation ready when its next attempt is due.
  mutating func endDelay(_ operation: Int32, attempt: Int) {
    guard case .delayed = nodes[Int(operation)].phase, nodes[Int(operation)].attempts == attempt
    else { return }
    log.appendForTrace(.delayEnded(operation))
    becomeReady(operation)
  }
}

/// The data that a thread needs to start an operation.
struct CoordinatedStart: Sendable {
  let operation: Int32
  /// Contains the work of the operation.
  let graph: GraphStorage
  /// Cancels this attempt; nil for a function that ends when it returns.
  let cancellation: Cancellation?
  let timeout: Duration?
  let attempt: Int
}

/// The end of the code that started an operation.
struct CoordinatedReturn: Sendable {
  let operation: Int32
  let end: End

  enum End: Sendable {
    /// The operation ended when its code returned or threw. The error is nil if it succeeded.
    case ended((any Error)?)
    /// The operation ends through its token.
    case later
  }
}
