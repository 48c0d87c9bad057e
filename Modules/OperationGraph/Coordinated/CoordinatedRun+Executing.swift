extension CoordinatedRun {
  /// How far an operation came by the time the code that began it returned.
  private struct Return: Sendable {
    let operation: Int32
    var hasEnded = true
    var failure: (any Error)?
  }

  /// What a worker does: it starts one operation after another until it finds none.
  func work() {
    var isWoken = true
    var returned: Return?
    while true {
      let next = update { state, pool -> (Int32, CoordinatedStart)? in
        if let returned {
          state.didReturn(returned.operation, hasEnded: returned.hasEnded, returned.failure)
          state.tellSuccessors()
          state.giveBack(&pool, self)
        }
        guard let operation = state.takeNext(asWokenWorker: isWoken, &pool, self),
          let start = state.start(operation)
        else { return nil }
        return (operation, start)
      }
      guard let (operation, start) = next else { return }
      isWoken = false
      returned = execute(operation, start)
    }
  }

  /// Starts operations on the calling lane, in order.
  func startInline(_ operations: [Int32]) {
    LaneContext.current.perform { [self] in
      for operation in operations {
        guard let start = update({ state, _ in state.start(operation) }) else { continue }
        let returned = execute(operation, start)
        update { state, _ in
          state.didReturn(operation, hasEnded: returned.hasEnded, returned.failure)
        }
      }
    }
  }

  /// Starts the operation on the calling thread.
  private func execute(_ operation: Int32, _ start: CoordinatedStart) -> Return {
    guard let trace else { return executeInContext(operation, start) }
    var returned = Return(operation: operation)
    LaneContext.current.perform(for: trace.span(of: operation)) {
      returned = executeInContext(operation, start)
    }
    return returned
  }

  private func executeInContext(_ operation: Int32, _ start: CoordinatedStart) -> Return {
    guard isGrowing else { return executeHere(operation, start) }
    return GraphRun.$current.withValue(GraphRun(self, handle: nil)) {
      executeHere(operation, start)
    }
  }

  private func executeHere(_ operation: Int32, _ start: CoordinatedStart) -> Return {
    let frame = OperationFrame(host: self, values: places)
    switch start.work {
    case .plain(let body): return function(operation, start) { try body() }
    case .function(let body): return function(operation, start) { try body(frame) }
    case .starting(let body):
      let token = OperationToken(of: operation, in: self, cancelledBy: start.cancellation)
      if let timeout = start.timeout { setTimeout(operation, start, timeout, token) }
      body(frame, token)
      return Return(operation: operation, hasEnded: false)
    }
  }

  /// Nothing can interrupt a function: one that takes too long fails when it returns.
  private func function(
    _ operation: Int32, _ start: CoordinatedStart, _ body: () throws -> Void
  ) -> Return {
    let began = start.timeout == nil ? nil : runtime.now
    var returned = Return(operation: operation)
    do { try body() } catch { returned.failure = error }
    if let timeout = start.timeout, let began, began.duration(to: runtime.now) > timeout {
      returned.failure = OperationTimeout(operation: table.name(of: operation), limit: timeout)
    }
    return returned
  }

  /// When the time is over the attempt has failed, is told to stop, and is not waited for.
  private func setTimeout(
    _ operation: Int32, _ start: CoordinatedStart, _ timeout: Duration, _ token: OperationToken
  ) {
    let cancellation = start.cancellation
    // Not held: letting go of the token uncalled is a mistake that is to be noticed before.
    let token = WeakToken(token)
    setTimer(operation, start.attempt, timeout) { run in
      guard token.value?.expire() == true else { return }
      cancellation?.cancel()
      let error = OperationTimeout(operation: run.table.name(of: operation), limit: timeout)
      run.end(operation, error)
    }
  }
}

private struct WeakToken: Sendable {
  weak let value: OperationToken?

  init(_ value: OperationToken) { self.value = value }
}
