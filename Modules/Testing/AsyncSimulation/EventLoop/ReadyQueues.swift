import AsyncPatterns
internal import DequeModule
import SwiftTasks

/// The queue that a job belongs to.
enum Target {
  case pool
  case main
  case strand(Strand)
  case side(SideLoop)
}

/// A job, or the job of a timer, which may still be cancelled.
///
/// This and the queues cannot be copied: copying references would take most of the time of an event.
enum QueuedJob: ~Copyable {
  case job(Job)
  case timer(Timer)
  /// A job of Swift's runtime, in a simulation without a trace. It needs no closure.
  case task(SwiftJob)

  /// The event that runs it; nil if it was cancelled.
  consuming func claim() -> EventLoop.Event? {
    switch consume self {
    case .job(let job): .job(job)
    case .timer(let timer): timer.job.take().map { .job($0) }
    case .task(let job): .task(job)
    }
  }

  /// Drops the job of a timer, so that it never runs. That job is likely to hold the object that keeps the timer.
  borrowing func forget() {
    switch self {
    case .timer(let timer): timer.job = nil
    default: break
    }
  }
}

/// The queue of a serial scheduler. It is in the pool's queue while it has a job to run and none of its jobs runs.
final class Strand: @unchecked Sendable {
  // Safe to share: only the holder of the baton touches it. For the same reason, accesses need no dynamic check.
  @exclusivity(unchecked) var jobs = UniqueDeque<QueuedJob>()
  @exclusivity(unchecked) var isActive = false
  /// The span that last held a worker for one of its jobs.
  @exclusivity(unchecked) var holder = LaneHolders.Holder()
  let label: String

  init(label: String) { self.label = label }

  /// Drops its jobs, so that none runs. This breaks reference cycles, since most jobs hold the queue.
  func forgetJobs() {
    for index in jobs.indices { jobs[index].forget() }
    jobs.removeAll()
  }
}

/// Everything that could happen now. Each queue is in the order in which its elements became ready.
struct ReadyQueues: ~Copyable {
  enum PoolEntry: ~Copyable {
    case job(QueuedJob)
    case strand(Strand)
    case occupation(Occupation)

    /// Drops the job of a timer, or the jobs of a serial scheduler, so that they never run.
    borrowing func forget() {
      switch self {
      case .job(let job): job.forget()
      case .strand(let strand): strand.forgetJobs()
      case .occupation: break
      }
    }
  }

  /// Something that continues where it is, so that it needs no free lane.
  enum Resumption {
    case blocked(BlockedThread)
    case occupation(Occupation)
  }

  struct Ready<Element: ~Copyable>: ~Copyable {
    /// The position in the order in which elements became ready.
    let sequence: UInt64
    /// The chain of jobs that it continues.
    let chain: UInt32
    let element: Element
  }

  /// Where to find something that could happen next.
  enum Position {
    case pool(Int)
    case resumption(Int)
    /// The first job of the main lane; without a job, the end of its turn.
    case main
    /// The same for another run loop.
    case side(SideLoop)
  }

  private(set) var pool = UniqueDeque<Ready<PoolEntry>>()
  private(set) var main = UniqueDeque<Ready<QueuedJob>>()
  private(set) var resumptions = UniqueDeque<Ready<Resumption>>()
  /// The run loops other than the main one that have something to do; usually none.
  var sides: [SideLoop] = []
  /// When the main lane ran out of work in this turn, as a stamp; nil if no turn is about to end.
  private var turnEnd: UInt64?
  private var nextSequence: UInt64 = 0

  mutating func stamp() -> UInt64 {
    nextSequence += 1
    return nextSequence
  }

  @inline(__always)
  mutating func append(_ entry: consuming PoolEntry, chain: UInt32) {
    pool.append(Ready(sequence: stamp(), chain: chain, element: entry))
  }

  mutating func appendToMain(_ job: consuming QueuedJob, chain: UInt32) {
    main.append(Ready(sequence: stamp(), chain: chain, element: job))
  }

  mutating func resume(_ resumption: Resumption, chain: UInt32) {
    resumptions.append(Ready(sequence: stamp(), chain: chain, element: resumption))
  }

  /// Gives the end of the main lane's turn its place in the order, behind everything that is ready now. The turn ends
  /// there, unless more work comes first.
  mutating func markTurnEnd() { turnEnd = stamp() }

  /// Starts a turn of the free main lane and marks its end, unless the lane is already at the end of a turn.
  mutating func beginTurn() { if turnEnd == nil { markTurnEnd() } }

  /// Removes everything, but keeps the memory for another simulation.
  mutating func removeAll() {
    for index in pool.indices { pool[index].element.forget() }
    for index in main.indices { main[index].element.forget() }
    for index in resumptions.indices {
      if case .occupation(let occupation) = resumptions[index].element { occupation.disown() }
    }
    for side in sides { side.forgetJobs() }
    pool.removeAll()
    main.removeAll()
    resumptions.removeAll()
    sides = []
    (turnEnd, nextSequence) = (nil, 0)
  }

  // MARK: Choosing

  /// The free lanes.
  struct Free {
    let workers: Int
    let main: Bool
  }

  /// Whether only entries of the pool could be next. That is the usual case, and comparing stamps would cost as much as
  /// the rest.
  func hasOnlyPool(in free: Free) -> Bool {
    resumptions.isEmpty && sides.isEmpty && mainStamp(in: free) == nil
  }

  /// How many candidates there are.
  func candidateCount(in free: Free) -> Int {
    min(pool.count, free.workers) + resumptions.count + (mainStamp(in: free) == nil ? 0 : 1)
      + (sides.isEmpty ? 0 : sides.count { $0.stamp != .max })
  }

  /// The candidates for the next event, in the order in which they became ready. They could all run at the same time.
  ///
  /// They include everything that continues, and the first job of the main lane and of each other run loop. They also
  /// include one entry of the pool for each free worker.
  ///
  /// - Complexity: linear in their number.
  func candidates(in free: Free) -> [Position] {
    var walk = walk(in: free)
    var candidates: [Position] = []
    while let position = advance(&walk) { candidates.append(position) }
    return candidates
  }

  /// The chain of jobs that a candidate continues.
  func chain(at position: Position) -> UInt32 {
    switch position {
    case .pool(let index): pool[index].chain
    case .resumption(let index): resumptions[index].chain
    case .main: main.isEmpty ? 0 : main[0].chain
    case .side(let side): side.jobs.isEmpty ? 0 : side.jobs[0].chain
    }
  }

  /// The position of the candidate with that number; nil if there is none.
  ///
  /// - Complexity: linear in the number.
  func position(of number: Int, in free: Free) -> Position? {
    var walk = walk(in: free)
    for _ in 0..<number { _ = advance(&walk) }
    return advance(&walk)
  }

  @inline(__always)
  mutating func takeOfPool(at index: Int) -> Ready<PoolEntry> {
    if index == 0 { pool.removeFirst() } else { pool.remove(at: index) }
  }

  mutating func takeResumption(at index: Int) -> Resumption {
    resumptions.remove(at: index).element
  }

  /// Takes out the first job of the main lane. Without a job, the turn of the main lane ends.
  mutating func takeOfMain() -> QueuedJob? {
    guard main.isEmpty else { return main.removeFirst().element }
    turnEnd = nil
    return nil
  }

  private func mainStamp(in free: Free) -> UInt64? {
    guard free.main else { return nil }
    return main.isEmpty ? turnEnd : main[0].sequence
  }

  /// The progress of a walk through the candidates.
  private struct Walk {
    let poolEnd: Int
    var mainStamp: UInt64
    /// The other run loops that could be next, in reverse order.
    var sides: [SideLoop]
    var poolIndex = 0
    var resumptionIndex = 0
  }

  private func walk(in free: Free) -> Walk {
    Walk(
      poolEnd: min(pool.count, free.workers), mainStamp: mainStamp(in: free) ?? .max,
      sides: sides.isEmpty
        ? [] : sides.filter { $0.stamp != .max }.sorted { $0.stamp > $1.stamp })
  }

  /// Continues to the candidate that became ready next.
  private func advance(_ walk: inout Walk) -> Position? {
    let poolStamp = walk.poolIndex < walk.poolEnd ? pool[walk.poolIndex].sequence : .max
    let resumptionStamp =
      walk.resumptionIndex < resumptions.count ? resumptions[walk.resumptionIndex].sequence : .max
    let first = min(poolStamp, resumptionStamp, walk.mainStamp)
    if let side = walk.sides.last, side.stamp < first {
      walk.sides.removeLast()
      return .side(side)
    }
    if first == .max { return nil }
    if first == poolStamp {
      walk.poolIndex += 1
      return .pool(walk.poolIndex - 1)
    }
    if first == resumptionStamp {
      walk.resumptionIndex += 1
      return .resumption(walk.resumptionIndex - 1)
    }
    walk.mainStamp = .max
    return .main
  }
}
