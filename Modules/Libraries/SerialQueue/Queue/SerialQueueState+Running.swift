/// The starts of items, one after another.
extension SerialQueueState {
  /// Whether one more item could run.
  var hasRoom: Bool {
    @inline(__always) get { isOpen && running.count < width && !running.isBarrier }
  }

  /// Whether the queue must take arriving items out of the intake now, to start them or to refuse them.
  var wantsIntake: Bool {
    @inline(__always) get { hasRoom && line.wantsOrdinary || isStopped }
  }

  /// Takes the item that the caller must start now, if there is one.
  mutating func next() -> QueuedItem? {
    guard hasRoom, let item = line.popFirst(isAlone: running.isEmpty) else { return nil }
    if let extras = item.extras { noteStart(of: item, extras) }
    item.phase = .running
    item.traits.insert(.onDrainer)
    running.append(item)
    return item
  }

  /// Runs an asynchronous item in `carrier` from now on.
  mutating func attach(_ carrier: Carrier, to item: QueuedItem) -> Actions {
    item.traits.remove(.onDrainer)
    item.carrier = carrier
    guard item.traits.contains(.cancelled) else { return nil }
    carrier.markUnusable()
    return [.cancel(carrier)]
  }

  /// The next step of a drainer that has run an ordinary item.
  enum Exchange {
    /// The item has ended. Start the next one, which is retained. With `isLastUnused`, only the caller
    /// still references the item that has ended.
    case start(Unmanaged<QueuedItem>, isLastUnused: Bool)
    /// The item has not ended. Finish it.
    case finish(Actions)
  }

  /// Ends an ordinary item and takes the next one, without counting references. It replaces
  /// `finish` and `next` in most cases.
  ///
  /// - Parameters:
  ///   - item: an item of the kind `plain`, which the caller has run and retains.
  ///   - intake: provides the next item if none is queued.
  @inline(__always)
  mutating func exchange(_ item: inout Unmanaged<QueuedItem>, _ intake: ItemIntake) -> Exchange {
    let isEndOrdinary = item._withUnsafeGuaranteedRef {
      $0.phase == .running && $0.extras == nil && !$0.traits.contains(.awaited)
    }
    guard case .ordinary = activity, isEndOrdinary else { return .finish(nil) }
    let epoch = epochs.current
    var taken = line.popOrdinary()
    if taken == nil {
      // One item ends and another arrives, so the number of open items stays the same.
      taken = intake.pop()
      if let item = taken, item._withUnsafeGuaranteedRef({ $0.isSpecial }) {
        return .finish(absorb(item))
      }
    } else {
      epochs.closeOrdinary()
    }
    guard let next = taken else { return .finish(nil) }
    item._withUnsafeGuaranteedRef { $0.phase = .ended }
    let isLastUnused = item.isUniquelyReferenced()
    next._withUnsafeGuaranteedRef {
      $0.phase = .running
      $0.epoch = epoch
      $0.traits.insert(.onDrainer)
    }
    running.replaceOnly(by: next)
    return .start(next, isLastUnused: isLastUnused)
  }
}
