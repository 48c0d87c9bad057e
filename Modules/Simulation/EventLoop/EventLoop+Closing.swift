extension EventLoop {
  /// Ends the simulation for good: threads that stand parked end, and what it held it holds no longer,
  /// since much of that holds the simulation. Only between runs.
  ///
  /// - Returns: its room, empty.
  func close() -> Room {
    for parked in standing { parked.abandon() }
    standing = []
    waiting = []
    removeEndOfTurnActions()
    inbox.close()
    probe?.close()
    var room = Room()
    swap(&room.ready, &ready)
    swap(&room.timers, &timers)
    room.ready.removeAll()
    room.timers.removeAll()
    return room
  }
}
