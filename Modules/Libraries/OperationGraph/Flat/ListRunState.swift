/// The state that the threads of a run share. It holds the ready operations that wait for a place
/// or a worker, and the numbers of free places and workers. After a stop it also holds the reason.
///
/// It only makes decisions. Each method changes the state, and returns the next step of the caller
/// after releasing the lock.
///
/// Invariants: nothing waits once there is a `stopReason`; as many workers are awake as can take an operation.
struct ListRunState {
  private var waiting = ReadyList()
  /// The number of operations that may start in addition to those in flight.
  private var places: Int
  /// The number of workers that may be woken in addition to those that are awake.
  private var resting: Int
  /// The number of awake workers that have not taken their first operation yet.
  private var woken = 0
  private(set) var stopReason: StopReason?

  /// - Parameters:
  ///   - width: how many operations may be in flight.
  ///   - workers: how many workers may be awake.
  init(width: Int, workers: Int) {
    places = width
    resting = workers
  }

  /// - Returns: how many of these will not start, because the run has stopped.
  mutating func add(_ ready: ReadyList, _ links: ReadyList.Links) -> Int {
    guard stopReason == nil else { return ready.count }
    waiting.append(ready, links)
    return 0
  }

  /// Frees the place of an operation that has ended.
  ///
  /// - Returns: whether no other place was free.
  mutating func leavePlace() -> Bool {
    defer { places += 1 }
    return places == 0
  }

  /// Takes as many operations as there are free places.
  mutating func take(_ links: ReadyList.Links) -> ReadyList {
    let taken = waiting.popFirst(places, links)
    places -= taken.count
    return taken
  }

  /// The next operation for a worker that is already running; nil if none can start now.
  mutating func takeOne(_ links: ReadyList.Links) -> Int32? {
    guard places > 0, let operation = waiting.popFirst(links) else { return nil }
    places -= 1
    return operation
  }

  /// The next operation for a worker; nil if there is none. In that case the worker rests.
  mutating func takeOne(_ links: ReadyList.Links, asWokenWorker: Bool) -> Int32? {
    if asWokenWorker { woken -= 1 }
    if let operation = takeOne(links) { return operation }
    resting += 1
    return nil
  }

  /// The number of workers that the caller must wake.
  mutating func wake() -> Int {
    let count = max(min(resting, min(waiting.count, places) - woken), 0)
    resting -= count
    woken += count
    return count
  }

  /// Stops the run. The first reason is kept.
  ///
  /// - Returns: how many waiting operations will not start.
  mutating func stop(_ reason: StopReason) -> Int {
    guard stopReason == nil else { return 0 }
    stopReason = reason
    defer { waiting = ReadyList() }
    return waiting.count
  }
}
