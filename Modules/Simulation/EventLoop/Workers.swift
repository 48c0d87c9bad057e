internal import HeapModule

/// Which of the virtual workers, numbered from 1, are free.
struct Workers {
  let count: Int
  private var free: Heap<UInt32>

  init(count: Int) {
    self.count = count
    free = Heap(1...UInt32(count))
  }

  var freeCount: Int { free.count }
  /// The lowest-numbered one, which takes the next job.
  var first: UInt32? { free.min }

  /// How many of those that are held stand blocked.
  var blockedCount = 0

  mutating func takeFirst() -> UInt32? { free.popMin() }
  mutating func giveBack(_ worker: UInt32) { free.insert(worker) }
}

/// Where a job runs.
struct Place {
  /// The worker, or 0 for the main lane.
  let lane: UInt32
  /// Tells the job from others that run there, if it has taken a permit or stood parked; else 0.
  var job: UInt32 = 0
  /// The serial scheduler it runs for.
  var strand: Strand?
  /// Whether the lane has been taken out of the free ones: only a job that parks outlasts an event.
  var isHeld = false
}
