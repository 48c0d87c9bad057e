/// How items end, and who wants to know.
extension SerialQueueState {
  /// A drainer is back from the code that started `item`.
  mutating func comeBack(from item: QueuedItem) {
    item.traits.remove(.onDrainer)
    if item.traits.contains(.returning) {
      item.traits.remove(.returning)
      returningCount -= 1
    }
  }

  /// An item that ran has ended; its phase says so already.
  ///
  /// - Parameters:
  ///   - error: why, if it failed.
  ///   - isBack: whether a drainer who is about to ask for the next one says so.
  mutating func finish(_ item: QueuedItem, _ error: (any Error)?, isBack: Bool = false) {
    if let extras = item.extras { noteLeaving(of: item, extras) }
    if item.traits.contains(.barrier) { isBarrierRunning = false }
    running.remove(item)
    if let extras = item.extras { release(extras) }
    end(item)
    if isBack {
      item.traits.remove(.onDrainer)
    } else if item.traits.contains(.onDrainer) {
      item.traits.insert(.returning)
      returningCount += 1
    }
    if let error, !(error is CancellationError) { heed(error) }
  }

  mutating func release(_ extras: ItemExtras) {
    if let timer = extras.timer.take() { affect { $0.timers.append(timer) } }
    if !extras.cancelHandlers.isEmpty {
      discard(extras.cancelHandlers)
      extras.cancelHandlers = []
    }
  }

  /// Does about a failure what the policy says.
  mutating func heed(_ error: any Error) {
    switch onFailure {
    case .goOn: break
    case .pause: pause()
    case .stop:
      guard stopCause == nil else { return }
      stopCause = error
      for item in removeWaiting() { refuse(item) }
    }
  }

  /// The time of an item is over. It keeps its place among those that run until it has `finish`ed, which is
  /// up to the caller once those who listen have been told.
  ///
  /// - Returns: how it fails; nil if it has ended before.
  mutating func timeOut(_ item: QueuedItem, after timeout: Duration) -> SerialQueueError? {
    guard item.phase == .running else { return nil }
    tellCancelled(item)
    item.phase = .failing
    // Its drainer may never come back.
    item.traits.remove(.onDrainer)
    return .timedOut(place(of: item), after: timeout)
  }

  mutating func fail(_ item: QueuedItem, _ error: SerialQueueError) {
    fail(item, because: error)
  }

  mutating func fail(_ item: QueuedItem, because error: any Error) {
    item.phase = .failing
    affect { $0.failed.append((item, error)) }
  }

  /// An item that counted among those in the queue does not any more.
  mutating func end(_ item: QueuedItem) {
    let waiters = epochs.close(item.epoch)
    if !waiters.isEmpty { affect { $0.waiters += waiters } }
  }

  /// Tells `waiter` when every item so far has ended.
  mutating func wait(_ waiter: @escaping Handler) {
    if epochs.wait(waiter) { affect { $0.waiters.append(waiter) } }
  }

  mutating func add(_ observer: IdleObserver) { idleObservers.append(observer) }

  mutating func remove(_ observer: IdleObserver) {
    guard let index = idleObservers.firstIndex(where: { $0 === observer }) else { return }
    discard(idleObservers.remove(at: index))
  }

  /// Tells those who want to know if it has become idle. The last thing under the lock.
  mutating func noteIdle() {
    isOrdinary = judgeOrdinary()
    guard wasBusy, isEmpty else { return }
    wasBusy = false
    guard !idleObservers.isEmpty else { return }
    let handlers = idleObservers.map(\.handler)
    affect { $0.waiters += handlers }
  }
}
