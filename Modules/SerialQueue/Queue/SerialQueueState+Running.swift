/// How items start, one after another.
extension SerialQueueState {
  /// Whether one more item could run.
  var hasRoom: Bool { !isPaused && running.count < width && !isBarrierRunning }

  /// Whether it matters if something has come in.
  var wantsIntake: Bool { hasRoom && line.wantsOrdinary || stopCause != nil }

  /// Takes the item to be started now, if there is one.
  mutating func next() -> QueuedItem? {
    guard hasRoom, let item = line.popFirst(isAlone: running.isEmpty) else { return nil }
    if let extras = item.extras { noteStart(of: item, extras) }
    item.phase = .running
    item.traits.insert(.onDrainer)
    isBarrierRunning = item.traits.contains(.barrier)
    running.append(item)
    return item
  }

  /// An asynchronous item that has been taken runs in `carrier` from now on.
  mutating func attach(_ carrier: Carrier, to item: QueuedItem) {
    item.traits.remove(.onDrainer)
    item.carrier = carrier
    if item.traits.contains(.cancelled) {
      carrier.spoil()
      affect { $0.carriers.append(carrier) }
    }
  }

  /// An ordinary item has ended, and ordinary ones wait or come: what `finish` and `next` do in most cases, as
  /// quickly as can be, and without counting references.
  ///
  /// - Parameters:
  ///   - item: one of kind `plain` that the caller has run, and keeps.
  ///   - intake: where the next one comes from if none waits.
  ///   - isKnown: becomes false if nobody keeps the item but the caller.
  /// - Returns: the item that the caller is to start, and keeps from now on; nil if this one has not ended.
  @inline(__always)
  mutating func exchange(
    _ item: inout Unmanaged<QueuedItem>, _ intake: ItemIntake, isKnown: inout Bool
  ) -> Unmanaged<QueuedItem>? {
    let isEndOrdinary = item._withUnsafeGuaranteedRef {
      $0.phase == .running && $0.extras == nil && !$0.traits.contains(.awaited)
    }
    guard isOrdinary, isEndOrdinary else { return nil }
    let epoch = epochs.current
    var taken = line.popOrdinary()
    if taken == nil {
      // One ends and one comes: as many are open as before.
      taken = intake.pop()
      if let item = taken, item._withUnsafeGuaranteedRef({ $0.isSpecial }) {
        absorb(item)
        return nil
      }
    } else {
      epochs.closeOrdinary()
    }
    guard let next = taken else { return nil }
    item._withUnsafeGuaranteedRef { $0.phase = .ended }
    isKnown = !item.isUniquelyReferenced()
    next._withUnsafeGuaranteedRef {
      $0.phase = .running
      $0.epoch = epoch
      $0.traits.insert(.onDrainer)
    }
    running.replaceOnly(by: next)
    return next
  }

  func judgeOrdinary() -> Bool {
    width == 1 && !isPaused && stopCause == nil && parked.isEmpty && running.count == 1
      && line.isOrdinary && epochs.isOrdinary && !isBarrierRunning
  }

  /// The draining that was asked for has begun.
  mutating func beginDraining() { isScheduled = false }
}
