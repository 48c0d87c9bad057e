import OperationGraph
import Testing

extension MixedRun {
  // MARK: What operations do

  func function(_ index: Int) throws -> Int {
    let attempt = started(index)
    defer { stopped(index) }
    return try value(of: attempt, index)
  }

  func task(_ index: Int) async throws -> Int {
    let attempt = started(index)
    do {
      if attempt == .hangs {
        try await runtime.clock.sleep(for: .seconds(1_000))
      } else if runtime.clockKind == .virtual {
        try await runtime.clock.sleep(for: .milliseconds(mixed.nodes[index].duration))
      } else {
        await Task.yield()
      }
    } catch {
      stopped(index)
      throw error
    }
    stopped(index)
    return try value(of: attempt, index)
  }

  func begin(_ index: Int, _ done: OperationGraph.Done<Int>) {
    let attempt = started(index)
    let isFinished = Locked(false)
    let end: @Sendable (Result<Int, any Error>) -> Void = { result in
      let isFirst = isFinished.withLock { isFinished in
        defer { isFinished = true }
        return !isFinished
      }
      guard isFirst else { return }
      self.stopped(index)
      done(result)
    }
    let timer = Locked<(any Cancellable)?>(nil)
    done.onCancel {
      timer.withLock { $0 }?.cancel()
      end(.failure(CancellationError()))
    }
    if attempt == .hangs { return ledger.withLock { $0.kept.append(done) } }
    let result = Result { try value(of: attempt, index) }
    guard runtime.clockKind == .virtual else { return runtime.pool.schedule { end(result) } }
    let duration = Duration.milliseconds(mixed.nodes[index].duration)
    let scheduled = runtime.pool.schedule(after: duration) { end(result) }
    timer.withLock { $0 = scheduled }
    if isFinished.withLock({ $0 }) { scheduled.cancel() }
  }

  /// The work of an operation that runs in another run.
  func beginRemote(_ index: Int, _ done: OperationGraph.Done<Int>) {
    let node = mixed.nodes[index]
    let result = Result { try value(of: node.attempts[0], index) }
    guard runtime.clockKind == .virtual else { return runtime.pool.schedule { done(result) } }
    runtime.pool.schedule(after: .milliseconds(node.duration)) { done(result) }
  }

  private func value(of attempt: MixedGraph.Attempt, _ index: Int) throws -> Int {
    switch attempt {
    case .succeeds: return index
    case .fails, .hangs: throw StepFailure("\(index)")
    case .cancelsItself: throw CancellationError()
    }
  }
}
