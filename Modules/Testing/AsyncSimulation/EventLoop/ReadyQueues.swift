import AsyncPatterns
internal import DequeModule

/// The queue that a job belongs to.
enum Target {
  case pool
  case main
  case strand(Strand)
  case side(SideLoop)
}

/// A job, or the job of a timer, which may still be cancelled.
enum QueuedJob {
  case job(Job)
  case timer(Timer)

  /// The job to run; nil if it was cancelled.
  consuming func claim() -> Job? {
    switch consume self {
    case .job(let job): return job
    case .timer(let timer):
      defer { timer.job = nil }
      return timer.job
    }
  }

  /// Drops the job of a timer, so that it never runs. That job is likely to hold the object that keeps the timer.
  func forget() { if case .timer(let timer) = self { timer.job = nil } }
}

/// The queue of a serial scheduler. It is in the pool's queue while it has a job to run and none of its jobs runs.
final class Strand: @unchecked Sendable {
  // Safe to share: only the holder of the baton touches it. For the same reason, accesses need no dynamic check.
  @exclusivity(unchecked) var jobs: Deque<QueuedJob> = []
  @exclusivity(unchecked) var isActive = false
  /// The span that last held a worker for one of its jobs.
  @exclusivity(unchecked) var holder = LaneHolders.Holder()
  let label: String

  init(label: String) { self.label = label }

  /// Drops its jobs, so that none runs: most code that uses the queue also holds it.
  func forgetJobs() {
    for job in jobs { job.forget() }
    jobs = []
  }
}

/// Everything that could happen now. Each queue is in the order in which its elements became ready.
struct ReadyQueues {
  enum PoolEntry {
    case job(QueuedJob)
    case strand(Strand)
    case occupation(Occupation)

    /// Drops its jobs, so that none runs.
    func forget() {
      switch self {
      case .job(let job): job.forget()
      case .strand(let strand): strand.forgetJobs()
      case .occupation: break
      }
    }
  }

  /// Something that continues in the place that it already has.
  enum Resumption {
    case blocked(BlockedThread)
    case occupation(Occupation)
  }

  /// The element that the loop runs next.
  enum Pick {
    case pool(PoolEntry)
    case main(QueuedJob)
    case endOfTurn
    /// A job of another run loop; without a job, the end of its turn.
    case side(SideLoop, QueuedJob?)
    case resumption(Resumption)

    /// Whether the pick had no effect, given that carrying it out gave no event.
    var isVoid: Bool {
      if case .pool(.occupation) = self { false } else { true }
    }
  }

  struct Ready<Element> {
    /// The position in the order in which elements became ready.
    let sequence: UInt64
    /// The chain of jobs that it continues.
    let chain: UInt32
    let element: Element
  }

  /// One of the things that could happen next.
  struct Candidate {
    let chain: UInt32
    let pick: Pick
  }

  private(set) var pool: Deque<Ready<PoolEntry>> = []
  private(set) var main: Deque<Ready<QueuedJob>> = []
  private var resumptions: Deque<Ready<Resumption>> = []
  /// The run loops other than the main one that have something to do; usually none.
  var sides: [SideLoop] = []
  /// The stamp since which the main lane has nothing more to do in this turn; nil if it is in no turn.
  private var turnEnd: UInt64?
  private var nextSequence: UInt64 = 0

  mutating func stamp() -> UInt64 {
    nextSequence += 1
    return nextSequence
  }

  mutating func append(_ entry: PoolEntry, chain: UInt32) {
    pool.append(Ready(sequence: stamp(), chain: chain, element: entry))
  }

  mutating func appendToMain(_ job: QueuedJob, chain: UInt32) {
    main.append(Ready(sequence: stamp(), chain: chain, element: job))
  }

  mutating func resume(_ resumption: Resumption, chain: UInt32) {
    resumptions.append(Ready(sequence: stamp(), chain: chain, element: resumption))
  }

  /// Ends the turn of the main lane here, unless more work comes first.
  mutating func markTurnEnd() { turnEnd = stamp() }

  /// Notes that a free main lane is about to wait, for any reason.
  mutating func beginTurn() { if turnEnd == nil { markTurnEnd() } }

  /// Removes everything, but keeps the memory for another simulation.
  mutating func removeAll() {
    for ready in pool { ready.element.forget() }
    for ready in main { ready.element.forget() }
    for case .occupation(let occupation) in resumptions.lazy.map(\.element) { occupation.disown() }
    for side in sides { side.forgetJobs() }
    pool.removeAll(keepingCapacity: true)
    main.removeAll(keepingCapacity: true)
    resumptions.removeAll(keepingCapacity: true)
    sides = []
    (turnEnd, nextSequence) = (nil, 0)
  }

  // MARK: Choosing

  /// The free lanes.
  struct Free {
    let workers: Int
    let main: Bool
  }

  /// Takes out the first entry of the pool if only the pool could be next. That is the usual case, and reading the
  /// stamps would cost as much as the rest.
  ///
  /// - Returns: nil if something else could be next; an inner nil if the pool has no entry or no free worker.
  mutating func takeFirstOfPool(in free: Free) -> Ready<PoolEntry>?? {
    if free.main, turnEnd != nil || !main.isEmpty { return nil }
    guard resumptions.isEmpty, sides.isEmpty else { return nil }
    return .some(free.workers > 0 ? pool.popFirst() : nil)
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
  func candidates(in free: Free) -> [Candidate] {
    var walk = walk(in: free)
    var candidates: [Candidate] = []
    while let place = advance(&walk) {
      switch place {
      case .pool(let index):
        candidates.append(Candidate(chain: pool[index].chain, pick: .pool(pool[index].element)))
      case .resumption(let index):
        let ready = resumptions[index]
        candidates.append(Candidate(chain: ready.chain, pick: .resumption(ready.element)))
      case .main:
        candidates.append(
          main.first.map { Candidate(chain: $0.chain, pick: .main($0.element)) }
            ?? Candidate(chain: 0, pick: .endOfTurn))
      case .side(let side):
        let next = side.jobs.first
        candidates.append(Candidate(chain: next?.chain ?? 0, pick: .side(side, next?.element)))
      }
    }
    return candidates
  }

  /// Takes out the candidate with that number.
  ///
  /// - Complexity: O(1) for the first, otherwise linear in the number.
  mutating func take(_ number: Int, in free: Free) -> Candidate? {
    if resumptions.isEmpty, sides.isEmpty, mainStamp(in: free) == nil {
      guard number < min(pool.count, free.workers) else { return nil }
      let ready = number == 0 ? pool.removeFirst() : pool.remove(at: number)
      return Candidate(chain: ready.chain, pick: .pool(ready.element))
    }
    var walk = walk(in: free)
    for _ in 0..<number { _ = advance(&walk) }
    switch advance(&walk) {
    case nil: return nil
    case .pool(let index)?:
      let ready = pool.remove(at: index)
      return Candidate(chain: ready.chain, pick: .pool(ready.element))
    case .resumption(let index)?:
      let ready = resumptions.remove(at: index)
      return Candidate(chain: ready.chain, pick: .resumption(ready.element))
    case .main?:
      if let ready = main.popFirst() {
        return Candidate(chain: ready.chain, pick: .main(ready.element))
      }
      turnEnd = nil
      return Candidate(chain: 0, pick: .endOfTurn)
    case .side(let side)?: return takeNext(of: side)
    }
  }

  private func mainStamp(in free: Free) -> UInt64? {
    free.main ? main.first?.sequence ?? turnEnd : nil
  }

  /// The progress of a walk through the candidates.
  private struct Walk {
    enum Place {
      case pool(Int)
      case resumption(Int)
      case main
      case side(SideLoop)
    }

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
  private func advance(_ walk: inout Walk) -> Walk.Place? {
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
