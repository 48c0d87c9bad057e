/// The entry and the refusal of items.
extension SerialQueueState {
  /// Lets in an item without options that has passed through the intake.
  ///
  /// - Parameter item: an item with a reference that the queue takes over.
  mutating func absorb(_ item: Unmanaged<QueuedItem>) -> Actions {
    if isStopped || item._withUnsafeGuaranteedRef({ $0.isSpecial }) {
      return absorbSpecial(item.takeRetainedValue())
    }
    item._withUnsafeGuaranteedRef { open($0) }
    line.appendKept(item)
    return nil
  }

  private mutating func absorbSpecial(_ item: QueuedItem) -> Actions {
    if item.kind == .decision {
      return unsafeDowncast(item, to: Decision.self).decide(&self) + [.releaseItems([item])]
    }
    if item.traits.contains(.cancelled) { return [fail(item, CancellationError())] }
    return enqueue(item)
  }

  /// Lets in an item that may have options, or refuses it.
  mutating func enqueue(_ item: QueuedItem) -> Actions {
    noteArrival(of: item)
    if case .stopped(let cause, _) = gate {
      return [fail(item, SerialQueueError.stopped(place(of: item), because: cause))]
    }
    if item.traits.contains(.cancelled) { return [fail(item, CancellationError())] }
    if let actions = coalesce(item) { return actions }
    if isAtBound {
      return [fail(item, SerialQueueError.full(place(of: item), bound: bound))]
    }
    open(item)
    line.append(item)
    return nil
  }

  /// Lets an item in as soon as there is room.
  mutating func enqueueWhenRoom(_ item: QueuedItem) -> Actions {
    noteArrival(of: item)
    guard !isStopped, isFull, !item.traits.contains(.cancelled), !coalesces(item) else {
      return letIn(item)
    }
    item.phase = .outside
    outside.append(item)
    return nil
  }

  /// Ends an item's wait for room.
  mutating func letIn(_ item: QueuedItem) -> Actions {
    let actions = enqueue(item)
    item.extras?.isAdmitted = item.phase == .waiting
    return actions + endAdmission(of: item)
  }

  /// Calls the admission handler. The item now has room in the queue, or will never have it.
  func endAdmission(of item: QueuedItem) -> Actions {
    item.extras?.onAdmission.take().map { [.call($0)] }
  }

  private mutating func open(_ item: QueuedItem) {
    activity = .busy
    item.phase = .waiting
    item.epoch = epochs.current
    epochs.open(1)
  }

  /// Whether an item would take the place of a queued one, or give way to it.
  func coalesces(_ item: QueuedItem) -> Bool {
    item.extras?.key.map { line.item(withKey: $0.name) != nil } ?? false
  }

  /// Follows the rule of an item whose key is already queued.
  ///
  /// - Returns: nil if no item with the key is queued.
  private mutating func coalesce(_ item: QueuedItem) -> Actions {
    guard let key = item.extras?.key, let older = line.item(withKey: key.name) else { return nil }
    switch key.rule {
    case .firstWins: return [supersede(item, key.name)]
    case .latestWins:
      line.substitute(item, forItemWithKey: key.name)
      open(item)
      return [supersede(older, key.name)] + end(older)
    }
  }

  private func supersede(_ item: QueuedItem, _ key: String) -> Action {
    fail(item, SerialQueueError.superseded(place(of: item), key: key))
  }
}
