internal import HeapModule

/// The free virtual workers, numbered from 1.
struct Workers {
  let count: Int
  /// The lowest number that has not been used yet. All workers from this number on are free.
  private var fresh: UInt32 = 1
  /// The workers that have been given back.
  private var returned: Heap<UInt32> = []

  /// How many of the held workers are blocked.
  var blockedCount = 0

  init(count: Int) { self.count = count }

  var freeCount: Int { count - Int(fresh) + 1 + returned.count }
  /// The free worker with the lowest number, which takes the next job.
  var first: UInt32? { returned.min ?? (fresh <= count ? fresh : nil) }

  mutating func takeFirst() -> UInt32? {
    if let first = returned.popMin() { return first }
    guard fresh <= count else { return nil }
    fresh += 1
    return fresh - 1
  }

  mutating func giveBack(_ worker: UInt32) { returned.insert(worker) }
}

/// The place where a job runs.
struct Place {
  /// The number of the worker, 0 for the main lane, or the lane of another run loop.
  let lane: UInt32
  /// Distinguishes the job from others that run there, if it has taken a permit or was blocked; otherwise 0.
  var job: UInt32 = 0
  /// The serial scheduler that the job runs for.
  var strand: Strand?
  /// Whether the lane has been removed from the free lanes. Only a job that blocks outlasts an event.
  var isHeld = false
  /// The run loop that the job runs for, if that is not the main one.
  var side: SideLoop?

  /// Whether it is a worker of the pool.
  var isOfPool: Bool { lane != 0 && side == nil }
}
