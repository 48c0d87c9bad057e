/// What the threads of a run have to agree on: which operations are ready and wait for a place or a
/// worker, how many places and workers are left, and why nothing more is to start.
///
/// It decides and does nothing else: each method changes the state and returns what the caller is to do
/// once it has let go of the lock.
///
/// Invariants: nothing waits once there is a `stopReason`; as many workers are awake as may take something.
struct ListRunState {
  private var waiting = ReadyList()
  /// How many operations may start beside those in flight.
  private var places: Int
  /// How many workers may be woken beside those that are awake.
  private var resting: Int
  /// How many of those awake have yet to take their first operation.
  private var woken = 0
  private(set) var stopReason: StopReason?

  /// - Parameters:
  ///   - width: how many operations may be in flight.
  ///   - workers: how many workers may be awake.
  init(width: Int, workers: Int) {
    places = width
    resting = workers
  }

  /// - Returns: how many of these will not start, because nothing does any more.
  mutating func add(_ ready: ReadyList, _ links: ReadyList.Links) -> Int {
    guard stopReason == nil else { return ready.count }
    waiting.append(ready, links)
    return 0
  }

  /// An operation that had a place has ended.
  ///
  /// - Returns: whether there was no other place.
  mutating func leavePlace() -> Bool {
    defer { places += 1 }
    return places == 0
  }

  /// All that there is a place for.
  mutating func take(_ links: ReadyList.Links) -> ReadyList {
    let taken = waiting.popFirst(places, links)
    places -= taken.count
    return taken
  }

  /// What a worker that is at it is to start next; nil if nothing can be started now.
  mutating func takeOne(_ links: ReadyList.Links) -> Int32? {
    guard places > 0, let operation = waiting.popFirst(links) else { return nil }
    places -= 1
    return operation
  }

  /// What a worker is to start; nil if there is nothing, and then it rests.
  mutating func takeOne(_ links: ReadyList.Links, asWokenWorker: Bool) -> Int32? {
    if asWokenWorker { woken -= 1 }
    if let operation = takeOne(links) { return operation }
    resting += 1
    return nil
  }

  /// How many workers the caller is to wake.
  mutating func wake() -> Int {
    let count = max(min(resting, min(waiting.count, places) - woken), 0)
    resting -= count
    woken += count
    return count
  }

  /// Nothing more starts; the first reason stays.
  ///
  /// - Returns: how many operations that waited will not start.
  mutating func stop(_ reason: StopReason) -> Int {
    guard stopReason == nil else { return 0 }
    stopReason = reason
    defer { waiting = ReadyList() }
    return waiting.count
  }
}
