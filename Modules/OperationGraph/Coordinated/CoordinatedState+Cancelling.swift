extension CoordinatedState {
  /// Nothing more starts; what has been given a place does nevertheless, since it became ready together
  /// with what failed.
  mutating func stop() {
    guard !isStopped else { return }
    isStopped = true
    isOpen = false
    for operation in nodes.indices {
      switch nodes[operation].phase {
      case .waiting, .asking, .ready, .delayed: end(Int32(operation), .cancelled)
      case .starting, .running, .ended: break
      }
    }
  }

  /// Calls off everything.
  ///
  /// - Parameter error: why the run has not succeeded, if something was left to start.
  mutating func cancelAll(_ error: any Error = CancellationError()) {
    guard !isConcluded else { return }
    let isLeft = isOpen || counts.unfinished > counts.running
    if isLeft, reason == nil { reason = error }
    stop()
    for operation in nodes.indices { cancelWhatHasAPlace(Int32(operation)) }
  }

  /// Calls off one operation: one that does not run is cancelled at once, and one that runs is told.
  mutating func cancel(_ operation: Int32) {
    switch nodes[Int(operation)].phase {
    case .waiting, .asking, .ready, .delayed: end(operation, .cancelled)
    case .starting, .running:
      nodes[Int(operation)].isCalledOff = true
      cancelWhatHasAPlace(operation)
    case .ended: break
    }
  }

  private mutating func cancelWhatHasAPlace(_ operation: Int32) {
    switch nodes[Int(operation)].phase {
    case .starting:
      leavePlace(operation)
      end(operation, .cancelled)
    case .running:
      if let cancellation = nodes[Int(operation)].cancellation {
        effects.cancellations.append(cancellation)
      }
    default: break
    }
  }

  /// The operation of another run that one here stands for has ended.
  mutating func remoteEnded(_ operation: Int32, _ ending: Ending) {
    guard case .waiting = nodes[Int(operation)].phase else { return }
    end(operation, ending)
    if case .failed(let error) = ending { fail(operation, error) }
  }
}
