internal import AsyncRuntime

/// The ends of items, and the observers that are notified of them.
extension SerialQueueState {
  /// The code of `item` has returned to the drainer that started it.
  ///
  /// - Returns: whether the drainer must look for another item.
  mutating func didReturn(from item: QueuedItem) -> Bool {
    item.traits.remove(.onDrainer)
    guard item.traits.contains(.returning) else { return hasRoom }
    item.traits.remove(.returning)
    returningDrainers -= 1
    return true
  }

  /// A running item has ended; its phase is `ended` already.
  ///
  /// - Parameters:
  ///   - error: its failure, if it failed.
  ///   - isBack: whether the caller is a drainer that takes the next item under the same lock.
  mutating func finish(
    _ item: QueuedItem, _ error: (any Error)?, isBack: Bool = false
  ) -> Actions {
    var actions: Actions = nil
    if let extras = item.extras {
      noteLeaving(of: item, extras)
      actions.add(release(extras))
    }
    running.remove(item)
    actions.add(end(item))
    if isBack {
      item.traits.remove(.onDrainer)
    } else if item.traits.contains(.onDrainer) {
      item.traits.insert(.returning)
      returningDrainers += 1
    }
    if let error, isFailure(error, of: item) { actions.add(react(to: error)) }
    return actions
  }

  /// Whether the item has failed. An item that was cancelled has not failed, whatever error it
  /// throws.
  private func isFailure(_ error: any Error, of item: QueuedItem) -> Bool {
    if error is CancellationError { return false }
    return !item.traits.contains(.cancelled) || item.traits.contains(.timedOut)
  }

  private func release(_ extras: ItemExtras) -> Actions {
    var actions: Actions = extras.timer.take().map { [.cancelTimer($0)] }
    if !extras.cancelHandlers.isEmpty {
      actions.add([.releaseHandlers(extras.cancelHandlers)])
      extras.cancelHandlers = []
    }
    return actions
  }

  private mutating func react(to failure: any Error) -> Actions {
    switch onFailure {
    case .continue: nil
    case .suspend: suspend()
    case .stop: stop(because: failure)
    }
  }

  /// Notes that a running item has timed out. It keeps its place until the caller has notified the
  /// handlers and called `finish`.
  mutating func timeOut(_ item: QueuedItem) -> Actions {
    if !item.traits.contains(.cancelled) { item.traits.insert(.timedOut) }
    let actions = notifyCancelled(item)
    item.phase = .failing
    // The drainer of the item may never return.
    item.traits.remove(.onDrainer)
    return actions
  }

  func fail(_ item: QueuedItem, _ error: any Error) -> Action {
    item.phase = .failing
    return .fail(item, error)
  }

  /// Stops counting an item, and calls the handlers that waited for it.
  mutating func end(_ item: QueuedItem) -> Actions {
    if epochs.isOrdinary {
      epochs.closeOrdinary()
      return nil
    }
    let waiters = epochs.close(item.epoch)
    return waiters.isEmpty ? nil : waiters.map { .call($0) }
  }

  /// Calls `waiter` when every item that was enqueued before has ended.
  mutating func wait(_ waiter: @escaping Handler) -> Actions {
    epochs.wait(waiter) ? [.call(waiter)] : nil
  }

  mutating func add(_ observer: IdleObserver) -> Actions {
    idleObservers.append(observer)
    return nil
  }

  /// Returns the sequences to which the queue reports its idle moments from now on.
  mutating func followIdleMoments() -> Broadcast<Void> {
    if let idleMoments { return idleMoments }
    let made = Broadcast<Void>()
    idleMoments = made
    idleObservers.append(IdleObserver { made.send(()) })
    return made
  }

  mutating func remove(_ observer: IdleObserver) -> Actions {
    guard let index = idleObservers.firstIndex(where: { $0 === observer }) else { return nil }
    return [.releaseHandlers([idleObservers.remove(at: index).handler])]
  }
}
