internal import AsyncRuntime

extension CoordinatedRun {
  /// Starts one operation after another until none can start: the body of a worker.
  func work() {
    var returned: CoordinatedReturn?
    while true {
      let start = continuing(returned) {
        let (start, decision) = decide { state, pool in
          state.startNext(after: returned, &pool, self)
        }
        perform(decision)
        return start
      }
      guard let start else { return }
      returned = execute(start)
    }
  }

  /// Starts operations on the calling lane, in order.
  func startInline(_ operations: [Int32]) {
    LaneContext.current.perform { [self] in
      for operation in operations {
        let (start, decision) = decide { state, _ in (state.start(operation), []) }
        perform(decision)
        guard let start else { continue }
        let returned = execute(start)
        continuing(returned) { update { $0.didReturn(returned) } }
      }
    }
  }

  /// Runs `body` in the span of the operation that has returned, because the operation itself causes its end.
  private func continuing<Result>(
    _ returned: CoordinatedReturn?, _ body: () -> Result
  ) -> Result {
    guard let trace, let returned else { return body() }
    return LaneContext.current.perform(for: trace.span(of: returned.operation), body)
  }

  /// Starts the operation on the calling thread.
  private func execute(_ start: CoordinatedStart) -> CoordinatedReturn {
    guard let trace else { return executeInContext(start) }
    let span = trace.span(of: start.operation)
    defer { trace.run.noteHolder(span) }
    return LaneContext.current.perform(for: span) { executeInContext(start) }
  }

  private func executeInContext(_ start: CoordinatedStart) -> CoordinatedReturn {
    guard let surrounding else { return executeHere(start) }
    return surrounding(self) { executeHere(start) }
  }

  private func executeHere(_ start: CoordinatedStart) -> CoordinatedReturn {
    let frame = OperationFrame(host: self, values: places)
    switch start.graph.works[Int(start.operation)] {
    case .plain(let body): return call(start) { try body() }
    case .function(let body): return call(start) { try body(frame) }
    case .starting(let body):
      let token = OperationToken(of: start.operation, in: self, cancelledBy: start.cancellation)
      if let timeout = start.timeout { setTimeout(start, timeout, token) }
      body(frame, token)
      return CoordinatedReturn(operation: start.operation, end: .later)
    }
  }

  /// Calls a function. Nothing can interrupt it: if it takes too long, it fails when it returns.
  private func call(_ start: CoordinatedStart, _ body: () throws -> Void) -> CoordinatedReturn {
    let beginning = start.timeout == nil ? nil : runtime.now
    var failure: (any Error)?
    do { try body() } catch { failure = error }
    if let timeout = start.timeout, let beginning, beginning.duration(to: runtime.now) > timeout {
      failure = TimedOut(table.name(of: start.operation), after: timeout)
    }
    return CoordinatedReturn(operation: start.operation, end: .ended(failure))
  }

  /// Sets the timer of an attempt. An attempt that times out fails and is cancelled, and the run does not wait for it.
  private func setTimeout(
    _ start: CoordinatedStart, _ timeout: Duration, _ token: OperationToken
  ) {
    let (operation, cancellation) = (start.operation, start.cancellation)
    // A strong reference would keep the token alive, and hide that the work has released it.
    let token = WeakToken(token)
    setTimer(operation, start.attempt, timeout) { run in
      guard token.value?.expire() == true else { return }
      cancellation?.cancel()
      let error = TimedOut(run.table.name(of: operation), after: timeout)
      run.end(operation, error)
    }
  }
}

private struct WeakToken: Sendable {
  weak let value: OperationToken?

  init(_ value: OperationToken) { self.value = value }
}
