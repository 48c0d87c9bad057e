/// How items are cancelled, and a queue is held up.
extension SerialQueueState {
  mutating func cancel(_ item: QueuedItem) -> [Action] {
    switch item.phase {
    case .new:
      item.traits.insert(.cancelled)
      return []
    case .outside:
      outside.removeAll { $0 === item }
      return [fail(item, CancellationError())] + endAdmission(of: item)
    case .waiting:
      line.remove(item)
      return [fail(item, CancellationError())] + end(item)
    case .running: return notifyCancelled(item)
    case .failing, .ended: return []
    }
  }

  /// Cancels an item that has no room yet.
  mutating func cancelAdmission(of item: QueuedItem) -> [Action] {
    item.phase == .outside || item.phase == .new ? cancel(item) : []
  }

  mutating func cancelPending() -> [Action] { failPending { _ in CancellationError() } }

  func cancelRunning() -> [Action] {
    // Some may have ended without having left their places.
    running.all.flatMap { $0.phase == .running ? notifyCancelled($0) : [] }
  }

  func notifyCancelled(_ item: QueuedItem) -> [Action] {
    guard !item.traits.contains(.cancelled) else { return [] }
    item.traits.insert(.cancelled)
    var actions: [Action] = []
    if let carrier = item.carrier {
      carrier.spoil()
      actions.append(.cancel(carrier))
    }
    if let extras = item.extras {
      actions.add(extras.cancelHandlers.map { .call($0) })
      extras.cancelHandlers = []
    }
    return actions
  }

  /// Removes and fails all items that wait, for room or for their turn.
  mutating func failPending(_ error: (QueuedItem) -> any Error) -> [Action] {
    var actions: [Action] = []
    let queued = line.removeAll()
    actions.reserveCapacity(queued.count + outside.count)
    for item in queued {
      actions.append(fail(item, error(item)))
      actions.add(end(item))
    }
    while let item = outside.popFirst() {
      actions.append(fail(item, error(item)))
      actions.add(endAdmission(of: item))
    }
    return actions
  }

  // MARK: Pausing

  mutating func pause() -> [Action] {
    switch gate {
    case .open, .paused: gate = .paused
    case .stopped(let cause, _): gate = .stopped(because: cause, isPaused: true)
    }
    return failAbandoned()
  }

  /// The first failure stops the queue.
  mutating func stop(because cause: any Error) -> [Action] {
    guard !isStopped else { return [] }
    gate = .stopped(because: cause, isPaused: isPaused)
    return failPending { [label] in
      SerialQueueError.stopped($0.place(in: label), because: cause)
    }
  }

  mutating func resume() -> [Action] {
    gate = .open
    // The next items start because of this, not because of an item that left its place.
    leaver = nil
    return []
  }

  mutating func abandon() -> [Action] {
    isAbandoned = true
    return failAbandoned()
  }

  /// Fails the items of a paused queue that nothing can resume.
  private mutating func failAbandoned() -> [Action] {
    guard isAbandoned, isPaused else { return [] }
    return failPending { [label] in SerialQueueError.abandoned($0.place(in: label)) }
  }
}
