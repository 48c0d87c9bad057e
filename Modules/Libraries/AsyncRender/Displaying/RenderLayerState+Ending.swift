extension RenderLayerState {
  // MARK: Cancelling

  /// Cancels the display in progress, whatever the policy. A synchronous display is not cancelled.
  mutating func cancelCurrent(_ effects: inout Effects) {
    guard let display = current else { return }
    current = nil
    sentinel.increase()
    switch display.phase {
    case .preparing:
      effects.metrics.cancelledBeforeDrawing += 1
    case .queued:
      effects.metrics.cancelledBeforeDrawing += 1
      effects.ended = display.drawing
    case .drawing:
      effects.metrics.cancelledWhileDrawing += 1
      effects.interrupted = display.drawing
    case .drawn:
      effects.metrics.cancelledAfterDrawing += 1
      effects.metrics.wastedTime += display.duration
    }
  }

  /// Cancels all requested displays, including one in progress.
  mutating func cancel(_ effects: inout Effects) {
    cancelCurrent(&effects)
    isMarked = false
    cancelledUpTo = requested
    effects.calls += takeWaiters(upTo: requested, .failure(.cancelled))
  }

  /// Clears the contents, unless they come from a display later than `last`.
  ///
  /// - Returns: whether there were contents to clear.
  mutating func clearContents(since last: UInt64, _ effects: inout Effects) -> Bool {
    guard contents != nil, contentsNumber <= last else { return false }
    effects.released = contents
    contents = nil
    return true
  }

  /// Cancels the display in progress and requests it again.
  mutating func suspend(_ effects: inout Effects) {
    isSuspended = true
    if current != nil {
      cancelCurrent(&effects)
      isMarked = true
    }
  }

  mutating func resume() { isSuspended = false }

  /// Notes that the layer was released.
  mutating func vanish(_ effects: inout Effects) {
    guard !isGone else { return }
    isGone = true
    isMarked = false
    cancelCurrent(&effects)
    effects.released = contents
    contents = nil
    effects.calls += takeWaiters(upTo: .max, .failure(.layerGone))
  }

  // MARK: Waiting

  /// The outcome of a request; nil if it is not settled.
  func outcome(of request: UInt64) -> Result<Picture?, DisplayError>? {
    if isGone { return .failure(.layerGone) }
    if shown >= request { return .success(contents) }
    if cancelledUpTo >= request { return .failure(.cancelled) }
    if let failure, failure.request >= request { return .failure(.failed(failure.error)) }
    return nil
  }

  /// Keeps `handler` until the request is settled.
  ///
  /// - Returns: a number to remove it by; nil if the request is settled and `handler` is about to be called.
  mutating func wait(
    for request: UInt64, _ handler: @escaping Handler, _ effects: inout Effects
  ) -> UInt64? {
    if let outcome = outcome(of: request) {
      if case .failure(.failed) = outcome { reportedFailures = failureCount }
      effects.calls.append((handler, outcome))
      return nil
    }
    waiterCount += 1
    waiters[waiterCount] = (request, handler)
    return waiterCount
  }

  /// - Returns: the handler that was kept under `number`. The caller releases it after unlocking.
  mutating func forgetWaiter(_ number: UInt64) -> Handler? {
    waiters.removeValue(forKey: number)?.handler
  }

  /// Removes the handlers that wait for a request up to `request`, and returns them in the order in which they were
  /// added.
  mutating func takeWaiters(
    upTo request: UInt64, _ result: Result<Picture?, DisplayError>
  ) -> [(handler: Handler, result: Result<Picture?, DisplayError>)] {
    guard waiters.count > 1 else {
      // The usual case: nothing to sort, and the capacity is kept for the next handler.
      guard let (_, waiter) = waiters.first, waiter.request <= request else { return [] }
      waiters.removeAll(keepingCapacity: true)
      return [(handler: waiter.handler, result: result)]
    }
    let due = waiters.filter { $0.value.request <= request }
    if due.count == waiters.count {
      waiters = [:]
    } else {
      for number in due.keys { waiters[number] = nil }
    }
    return due.sorted { $0.key < $1.key }.map { (handler: $0.value.handler, result: result) }
  }
}
