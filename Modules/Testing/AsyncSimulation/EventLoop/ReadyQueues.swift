import AsyncPatterns
internal import DequeModule

/// Whose turn it is when.
enum Target {
  case pool
  case main
  case strand(Strand)
  case side(SideLoop)
}

/// A job, or one that may still be called off.
enum QueuedJob {
  case job(Job)
  case timer(Timer)

  /// What there is to run, if it has not been called off.
  consuming func claim() -> Job? {
    switch consume self {
    case .job(let job): return job
    case .timer(let timer):
      defer { timer.job = nil }
      return timer.job
    }
  }

  /// It is never to run. Whoever keeps a timer is likely to be held by what it was to do.
  func forget() { if case .timer(let timer) = self { timer.job = nil } }
}

/// A serial scheduler's queue: it stands in the pool's queue while it has something to run and nothing
/// of it runs.
final class Strand: @unchecked Sendable {
  // Safe to share: touched by the holder of the baton only. So accesses need no dynamic check either.
  @exclusivity(unchecked) var jobs: Deque<QueuedJob> = []
  @exclusivity(unchecked) var isActive = false
  /// The span that last held a worker for one of its jobs.
  @exclusivity(unchecked) var holder = LaneHolders.Holder()
  let label: String

  init(label: String) { self.label = label }

  /// None of them is to run: most of what uses it holds it.
  func forgetJobs() {
    for job in jobs { job.forget() }
    jobs = []
  }
}

/// What could happen now, each in the order in which it became ready.
struct ReadyQueues {
  enum PoolEntry {
    case job(QueuedJob)
    case strand(Strand)
    case occupation(Occupation)

    /// It is never to run.
    func forget() {
      switch self {
      case .job(let job): job.forget()
      case .strand(let strand): strand.forgetJobs()
      case .occupation: break
      }
    }
  }

  /// What goes on: it has its place already.
  enum Resumption {
    case parked(ParkedThread)
    case occupation(Occupation)
  }

  /// What to do next.
  enum Pick {
    case pool(PoolEntry)
    case main(QueuedJob)
    case endOfTurn
    /// A job of another run loop, or the end of its turn.
    case side(SideLoop, QueuedJob?)
    case resumption(Resumption)

    /// Whether nothing came of it, now that it has been carried out without an event.
    var isVoid: Bool {
      if case .pool(.occupation) = self { false } else { true }
    }
  }

  struct Ready<Element> {
    /// When it became ready.
    let sequence: UInt64
    /// Which chain of jobs it goes on with.
    let chain: UInt32
    let element: Element
  }

  /// One of the things that could be next.
  struct Candidate {
    let chain: UInt32
    let pick: Pick
  }

  private(set) var pool: Deque<Ready<PoolEntry>> = []
  private(set) var main: Deque<Ready<QueuedJob>> = []
  private var resumptions: Deque<Ready<Resumption>> = []
  /// The run loops beside the main one that have something to do; hardly ever any.
  var sides: [SideLoop] = []
  /// Since when the main lane has nothing more to do in this turn, if it is in one.
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

  /// The turn of the main lane ends here, unless more comes before.
  mutating func markTurnEnd() { turnEnd = stamp() }

  /// A free main lane is about to wait, whatever it waits for.
  mutating func beginTurn() { if turnEnd == nil { markTurnEnd() } }

  /// Forgets everything, but keeps its room for another simulation.
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

  // MARK: Whose turn it is

  /// Which lanes are free.
  struct Free {
    let workers: Int
    let main: Bool
  }

  /// Takes out the first if it is the only kind there is, which is the usual case; reading the stamps
  /// costs as much as the rest.
  mutating func takeFirstOfPool(in free: Free) -> Ready<PoolEntry>?? {
    if free.main, turnEnd != nil || !main.isEmpty { return nil }
    guard resumptions.isEmpty, sides.isEmpty else { return nil }
    return .some(free.workers > 0 ? pool.popFirst() : nil)
  }

  /// How many could be next.
  func candidateCount(in free: Free) -> Int {
    min(pool.count, free.workers) + resumptions.count + (mainStamp(in: free) == nil ? 0 : 1)
      + (sides.isEmpty ? 0 : sides.count { $0.stamp != .max })
  }

  /// What could be next, in the order in which it became ready: what goes on, the first of the main
  /// lane, and as many of the pool as workers are free. Those could all be running.
  ///
  /// - Complexity: linear in their number.
  func candidates(in free: Free) -> [Candidate] {
    var walk = walk(in: free)
    var candidates: [Candidate] = []
    while let place = goOn(&walk) {
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

  /// Takes out the one of that number among those that could be next.
  ///
  /// - Complexity: O(1) for the first, else linear in the number.
  mutating func take(_ number: Int, in free: Free) -> Candidate? {
    if resumptions.isEmpty, sides.isEmpty, mainStamp(in: free) == nil {
      guard number < min(pool.count, free.workers) else { return nil }
      let ready = number == 0 ? pool.removeFirst() : pool.remove(at: number)
      return Candidate(chain: ready.chain, pick: .pool(ready.element))
    }
    var walk = walk(in: free)
    for _ in 0..<number { _ = goOn(&walk) }
    switch goOn(&walk) {
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

  /// How far one has gone through what could be next.
  private struct Walk {
    enum Place {
      case pool(Int)
      case resumption(Int)
      case main
      case side(SideLoop)
    }

    let poolEnd: Int
    var mainStamp: UInt64
    /// The other run loops that could be next, the first one last.
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

  /// Goes on to what became ready next.
  private func goOn(_ walk: inout Walk) -> Walk.Place? {
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
