extension EventLoop {
  /// Closes the simulation, so that it can no longer be run. If a run is in progress, the simulation closes when that
  /// run ends.
  func retire() { if inbox.retire() { _ = close() } }

  /// Ends the run.
  func endRun() {
    onEnd = nil
    isAwaited = nil
    if inbox.endRun() { _ = close() }
  }

  /// Ends the simulation for good. Blocked threads end. The loop releases all objects that it holds, since many of them
  /// hold the simulation. Call it only between runs.
  ///
  /// - Returns: the memory of the simulation, empty.
  func close() -> Room {
    // The job of a timer is likely to hold the object that keeps the timer. Delivering the mail makes such timers
    // known, so that they can be forgotten.
    for mail in inbox.close() { mail(self) }
    for thread in blockedThreads {
      thread.semaphore?.forget(thread)
      thread.place.strand?.forgetJobs()
      thread.abandon()
    }
    blockedThreads = []
    runLoopWaits = []
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
