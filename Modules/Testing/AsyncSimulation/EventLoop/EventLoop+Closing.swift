extension EventLoop {
  /// Nobody can run the simulation any more: it is closed, at the end of the run if one is under way.
  func retire() { if inbox.retire() { _ = close() } }

  /// The run has ended.
  func endRun() {
    onEnd = nil
    isAwaited = nil
    if inbox.endRun() { _ = close() }
  }

  /// Ends the simulation for good: threads that stand parked end, and what it held it holds no longer,
  /// since much of that holds the simulation. Only between runs.
  ///
  /// - Returns: its room, empty.
  func close() -> Room {
    // Whoever keeps what he can call off is likely to be held by it, so it has to be known to be forgotten.
    for mail in inbox.close() { mail(self) }
    for parked in standing {
      parked.semaphore?.forget(parked)
      parked.place.strand?.forgetJobs()
      parked.abandon()
    }
    standing = []
    waiting = []
    removeEndOfTurnActions()
    probe?.close()
    forgetQueues()
    var room = Room()
    swap(&room.ready, &ready)
    swap(&room.timers, &timers)
    room.ready.removeAll()
    room.timers.removeAll()
    return room
  }
}
