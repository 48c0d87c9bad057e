internal import HeapModule

/// Which of the virtual workers, numbered from 1, are free.
struct Workers {
  private var free: Heap<UInt32>

  init(count: Int) { free = Heap(1...UInt32(count)) }

  var freeCount: Int { free.count }
  /// The lowest-numbered one, which takes the next job.
  var first: UInt32? { free.min }

  mutating func takeFirst() -> UInt32? { free.popMin() }
  mutating func giveBack(_ worker: UInt32) { free.insert(worker) }
}

/// Where a job runs.
struct Place {
  /// The worker, or 0 for the main lane.
  let lane: UInt32
  /// The serial scheduler it runs for.
  var strand: Strand?
  /// Whether the lane has been taken out of the free ones: only a job that parks outlasts an event.
  var isHeld = false
}
