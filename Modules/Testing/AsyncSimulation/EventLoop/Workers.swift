internal import HeapModule

/// Which of the virtual workers, numbered from 1, are free.
struct Workers {
  let count: Int
  /// The lowest number that nobody has had yet: from here on all are free.
  private var fresh: UInt32 = 1
  /// Those that have been given back.
  private var returned: Heap<UInt32> = []

  /// How many of those that are held stand blocked.
  var blockedCount = 0

  init(count: Int) { self.count = count }

  var freeCount: Int { count - Int(fresh) + 1 + returned.count }
  /// The lowest-numbered one, which takes the next job.
  var first: UInt32? { returned.min ?? (fresh <= count ? fresh : nil) }

  mutating func takeFirst() -> UInt32? {
    if let first = returned.popMin() { return first }
    guard fresh <= count else { return nil }
    fresh += 1
    return fresh - 1
  }

  mutating func giveBack(_ worker: UInt32) { returned.insert(worker) }
}

/// Where a job runs.
struct Place {
  /// The worker, or 0 for the main lane, or the lane of another run loop.
  let lane: UInt32
  /// Tells the job from others that run there, if it has taken a permit or stood parked; else 0.
  var job: UInt32 = 0
  /// The serial scheduler it runs for.
  var strand: Strand?
  /// Whether the lane has been taken out of the free ones: only a job that parks outlasts an event.
  var isHeld = false
  /// The run loop it runs for, if it is another than the main one.
  var side: SideLoop?

  /// Whether it is one of the pool's.
  var isOfPool: Bool { lane != 0 && side == nil }
}
