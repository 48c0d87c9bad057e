extension CoordinatedState {
  /// Stops the run: no more operations get a place. An operation that already has a place still starts, because it may
  /// have got the place together with the operation that failed.
  mutating func stop() -> [Action] {
    guard life == .open || life == .closed else { return [] }
    life = .stopped
    var actions: [Action] = []
    for operation in nodes.indices {
      switch nodes[operation].phase {
      case .waiting, .asking, .ready, .delayed: actions.add(end(Int32(operation), .cancelled))
      case .starting, .running, .ended: break
      }
    }
    return actions
  }

  /// Cancels all operations.
  ///
  /// - Parameter error: the error of the run, if operations may still be added or one had not started yet.
  mutating func cancelAll(_ error: any Error = CancellationError()) -> [Action] {
    switch life {
    case .cancelled, .concluded: return []
    case .open, .closed, .stopped: break
    }
    if life == .open || counts.unfinished > counts.running { fault.cancel(error) }
    let ends = stop()
    life = .cancelled
    return nodes.indices.flatMap { cancelWhatHasAPlace(Int32($0)) } + ends
  }

  /// Cancels one operation. This is immediate, unless the operation runs and must be notified.
  mutating func cancel(_ operation: Int32) -> [Action] {
    switch nodes[Int(operation)].phase {
    case .waiting, .asking, .ready, .delayed: return end(operation, .cancelled)
    case .running(var attempt):
      attempt.isCancelled = true
      nodes[Int(operation)].phase = .running(attempt)
      return cancelWhatHasAPlace(operation)
    case .starting: return cancelWhatHasAPlace(operation)
    case .ended: return []
    }
  }

  private mutating func cancelWhatHasAPlace(_ operation: Int32) -> [Action] {
    switch nodes[Int(operation)].phase {
    case .starting:
      leavePlace(operation)
      return end(operation, .cancelled)
    case .running(let attempt): return attempt.cancellation.map { [.cancel($0)] } ?? []
    case .waiting, .asking, .ready, .delayed, .ended: return []
    }
  }

  /// Ends an operation that represents an operation of another run, after that one has ended.
  mutating func remoteEnded(_ operation: Int32, _ ending: Ending) -> [Action] {
    guard case .waiting = nodes[Int(operation)].phase else { return [] }
    let actions = end(operation, ending)
    guard case .failed(let error) = ending else { return actions }
    return actions + fail(operation, error)
  }
}
