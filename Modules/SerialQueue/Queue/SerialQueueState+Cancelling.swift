/// How items are called off, and a queue held up.
extension SerialQueueState {
  mutating func cancel(_ item: QueuedItem) {
    switch item.phase {
    case .new: item.traits.insert(.cancelled)
    case .parked:
      parked.removeAll { $0 === item }
      admit(item)
      fail(item, because: CancellationError())
    case .waiting:
      line.remove(item)
      end(item)
      fail(item, because: CancellationError())
    case .running: tellCancelled(item)
    case .failing, .ended: break
    }
  }

  mutating func cancelParked(_ item: QueuedItem) {
    if item.phase == .parked || item.phase == .new { cancel(item) }
  }

  mutating func cancelPending() {
    for item in removeWaiting() { fail(item, because: CancellationError()) }
  }

  mutating func cancelRunning() {
    // Others among them have ended, and are about to say so.
    for item in running.all where item.phase == .running { tellCancelled(item) }
  }

  mutating func tellCancelled(_ item: QueuedItem) {
    guard !item.traits.contains(.cancelled) else { return }
    item.traits.insert(.cancelled)
    if let carrier = item.carrier {
      carrier.spoil()
      affect { $0.carriers.append(carrier) }
    }
    if let extras = item.extras, !extras.cancelHandlers.isEmpty {
      let handlers = extras.cancelHandlers
      extras.cancelHandlers = []
      affect { $0.handlers += handlers }
    }
  }

  /// Takes out all that wait, for room or for their turn.
  mutating func removeWaiting() -> [QueuedItem] {
    var items = line.removeAll()
    for item in items { end(item) }
    for item in parked { admit(item) }
    items += parked
    parked = []
    return items
  }

  // MARK: Pausing

  mutating func pause() {
    isPaused = true
    if isAbandoned { abandonWaiting() }
  }

  mutating func resume() {
    isPaused = false
    stopCause = nil
    // What starts now does so for this reason.
    leaver = nil
  }

  /// Nobody is left who could resume the queue.
  mutating func abandon() {
    isAbandoned = true
    if isPaused { abandonWaiting() }
  }

  mutating func abandonWaiting() {
    for item in removeWaiting() { fail(item, .abandoned(place(of: item))) }
  }
}
