/// How items come into a queue, or do not.
extension SerialQueueState {
  /// Lets an item in that has come through the intake: one without options.
  ///
  /// - Parameter item: is kept already.
  mutating func absorb(_ item: Unmanaged<QueuedItem>) {
    if stopCause != nil || item._withUnsafeGuaranteedRef({ $0.isSpecial }) {
      return absorbSpecial(item.takeRetainedValue())
    }
    item._withUnsafeGuaranteedRef { open($0) }
    line.appendKept(item)
  }

  private mutating func absorbSpecial(_ item: QueuedItem) {
    if item.kind == .decision {
      unsafeDowncast(item, to: Decision.self).decide(&self)
      discard(item)
    } else if item.traits.contains(.cancelled) {
      fail(item, because: CancellationError())
    } else {
      refuse(item)
    }
  }

  /// Lets an item in, with all there is to it.
  mutating func enqueue(_ item: QueuedItem) {
    noteArrival(of: item)
    if stopCause != nil { return refuse(item) }
    if item.traits.contains(.cancelled) { return fail(item, because: CancellationError()) }
    if coalesce(item) { return }
    if count >= bound { return fail(item, .full(place(of: item), bound: bound)) }
    insert(item)
  }

  /// Lets an item in as soon as there is room.
  mutating func enqueueWhenRoom(_ item: QueuedItem) {
    noteArrival(of: item)
    if stopCause == nil, isFull, !item.traits.contains(.cancelled), !coalesces(item) {
      item.phase = .parked
      parked.append(item)
    } else {
      letIn(item)
    }
  }

  /// Lets an item in that there is room for.
  mutating func letIn(_ item: QueuedItem) {
    enqueue(item)
    item.extras?.isAdmitted = item.phase == .waiting
    admit(item)
  }

  mutating func insert(_ item: QueuedItem) {
    open(item)
    line.append(item)
  }

  mutating func open(_ item: QueuedItem) {
    wasBusy = true
    item.phase = .waiting
    item.epoch = epochs.current
    epochs.open(1)
  }

  func coalesces(_ item: QueuedItem) -> Bool {
    item.extras?.key.map { line.item(withKey: $0.name) != nil } ?? false
  }

  /// Goes by the rule of an item whose key waits already.
  mutating func coalesce(_ item: QueuedItem) -> Bool {
    guard let key = item.extras?.key, let older = line.item(withKey: key.name) else { return false }
    switch key.rule {
    case .firstWins: fail(item, .superseded(place(of: item), key: key.name))
    case .latestWins:
      line.substitute(item, forItemWithKey: key.name)
      open(item)
      end(older)
      fail(older, .superseded(place(of: older), key: key.name))
    }
    return true
  }

  mutating func refuse(_ item: QueuedItem) {
    guard let stopCause else { return }
    fail(item, .stopped(place(of: item), because: stopCause))
  }

  mutating func admit(_ item: QueuedItem) {
    guard let extras = item.extras, let onAdmission = extras.onAdmission.take() else { return }
    affect { $0.handlers.append(onAdmission) }
  }
}
