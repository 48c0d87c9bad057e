/// Cancelling items; suspending and stopping a queue.
extension SerialQueueState {
  mutating func cancel(_ item: QueuedItem) -> Actions {
    switch item.phase {
    case .new:
      item.traits.insert(.cancelled)
      return nil
    case .outside:
      outside.removeAll { $0 === item }
      return [fail(item, CancellationError())] + endAdmission(of: item)
    case .waiting:
      line.remove(item)
      return [fail(item, CancellationError())] + end(item)
    case .running: return notifyCancelled(item)
    case .failing, .ended: return nil
    }
  }

  /// Cancels an item that waits for room.
  mutating func cancelAdmission(of item: QueuedItem) -> Actions {
    item.phase == .outside || item.phase == .new ? cancel(item) : nil
  }

  mutating func cancelPending() -> Actions { failPending { _ in CancellationError() } }

  mutating func cancelRunning() -> Actions {
    // Some items may have ended without having left their places.
    running.all.filter { $0.phase == .running }.reduce(nil) { $0 + notifyCancelled($1) }
  }

  mutating func notifyCancelled(_ item: QueuedItem) -> Actions {
    guard !item.traits.contains(.cancelled) else { return nil }
    item.traits.insert(.cancelled)
    var actions: Actions = nil
    if let carrier = item.carrier {
      carrier.markUnusable()
      actions.add([.cancel(carrier)])
    }
    if let extras = item.extras {
      actions.add(extras.cancelHandlers.map { .call($0) })
      extras.cancelHandlers = []
    }
    return actions
  }

  /// Removes and fails all items that are queued or wait for room.
  mutating func failPending(_ error: (QueuedItem) -> any Error) -> Actions {
    var actions: Actions = nil
    for item in line.removeAll() { actions.add([fail(item, error(item))] + end(item)) }
    while let item = outside.popFirst() {
      actions.add([fail(item, error(item))] + endAdmission(of: item))
    }
    return actions
  }

  // MARK: Suspending

  mutating func suspend() -> Actions {
    switch gate {
    case .open, .suspended: gate = .suspended
    case .stopped(let cause, _): gate = .stopped(because: cause, isSuspended: true)
    }
    return failAbandoned()
  }

  /// Stops the queue, unless an earlier failure has stopped it.
  mutating func stop(because cause: any Error) -> Actions {
    guard !isStopped else { return nil }
    gate = .stopped(because: cause, isSuspended: isSuspended)
    return failPending { [label] in
      SerialQueueError.stopped($0.place(in: label), because: cause)
    }
  }

  mutating func resume() -> Actions {
    defer { gate = .open }
    // The next items start because of the resumption, and not because an item left its place.
    leaver = nil
    guard case .stopped(let cause, _) = gate else { return nil }
    return [.releaseError(cause)]
  }

  mutating func abandon() -> Actions {
    isAbandoned = true
    return failAbandoned()
  }

  /// Fails the items of a suspended queue that nothing can resume.
  private mutating func failAbandoned() -> Actions {
    guard isAbandoned, isSuspended else { return nil }
    return failPending { [label] in SerialQueueError.abandoned($0.place(in: label)) }
  }
}
