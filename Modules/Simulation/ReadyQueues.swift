import AsyncPatterns
internal import DequeModule

/// Whose turn it is when.
enum Target {
  case pool
  case main
  case strand(Strand)
}

/// A job, or one that may still be called off.
enum QueuedJob {
  case job(Job)
  case timer(Timer)

  /// What there is to run, if it has not been called off.
  func claim() -> Job? {
    switch self {
    case .job(let job): return job
    case .timer(let timer):
      defer { timer.job = nil }
      return timer.job
    }
  }
}

/// A serial scheduler's queue: it stands in the pool's queue while it has something to run and nothing
/// of it runs.
final class Strand: @unchecked Sendable {
  // Safe to share: touched by the holder of the baton only.
  var jobs: Deque<QueuedJob> = []
  var isActive = false
  let label: String

  init(label: String) { self.label = label }
}

/// What could happen now, each in the order in which it became ready.
struct ReadyQueues {
  enum PoolEntry {
    case job(QueuedJob)
    case strand(Strand)
    case occupation(Occupation)
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
    case resumption(Resumption)
  }

  private struct Stamped<Element> {
    let sequence: UInt64
    let element: Element
  }

  private var pool: Deque<Stamped<PoolEntry>> = []
  private var main: Deque<Stamped<QueuedJob>> = []
  private var resumptions: Deque<Stamped<Resumption>> = []
  /// Since when the main lane has nothing more to do in this turn, if it is in one.
  private var turnEnd: UInt64?
  private var nextSequence: UInt64 = 0

  var poolCount: Int { pool.count }
  var mainCount: Int { main.count }

  private mutating func stamp() -> UInt64 {
    nextSequence += 1
    return nextSequence
  }

  mutating func append(_ entry: PoolEntry) {
    pool.append(Stamped(sequence: stamp(), element: entry))
  }

  mutating func appendToMain(_ job: QueuedJob) {
    main.append(Stamped(sequence: stamp(), element: job))
  }

  mutating func resume(_ resumption: Resumption) {
    resumptions.append(Stamped(sequence: stamp(), element: resumption))
  }

  /// The turn of the main lane ends here, unless more comes before.
  mutating func markTurnEnd() { turnEnd = stamp() }

  /// A free main lane is about to wait, whatever it waits for.
  mutating func beginTurn() { if turnEnd == nil { markTurnEnd() } }

  /// Takes out what to do next.
  ///
  /// The candidates are what goes on, the first of the main lane, and as many of the pool as workers
  /// are free: those could all be running.
  ///
  /// - Complexity: O(1) for the first candidate, else linear in the number of candidates.
  mutating func pick(
    freeWorkers: Int, isMainFree: Bool, by choices: inout Choices
  ) -> Pick? {
    let isMainReady = isMainFree && (turnEnd != nil || !main.isEmpty)
    if !isMainReady, resumptions.isEmpty, choices.isFirstInFirstOut {
      // The usual case; reading the stamps costs as much as the rest.
      return freeWorkers > 0 ? pool.popFirst().map { .pool($0.element) } : nil
    }
    let mainStamp = isMainReady ? main.first?.sequence ?? turnEnd : nil
    var skipped = 0
    if !choices.isFirstInFirstOut {
      skipped = choices.choose(
        min(pool.count, freeWorkers) + resumptions.count + (mainStamp == nil ? 0 : 1))
    }
    var (poolIndex, resumptionIndex, isMainSkipped) = (0, 0, false)
    let poolEnd = min(pool.count, freeWorkers)
    while true {
      let poolStamp = poolIndex < poolEnd ? pool[poolIndex].sequence : .max
      let resumptionStamp =
        resumptionIndex < resumptions.count ? resumptions[resumptionIndex].sequence : .max
      let mainStamp = isMainSkipped ? .max : mainStamp ?? .max
      let first = min(poolStamp, resumptionStamp, mainStamp)
      if first == .max { return nil }
      if skipped == 0 {
        if first == poolStamp { return .pool(pool.remove(at: poolIndex).element) }
        if first == resumptionStamp {
          return .resumption(resumptions.remove(at: resumptionIndex).element)
        }
        return takeMain()
      }
      skipped -= 1
      if first == poolStamp {
        poolIndex += 1
      } else if first == resumptionStamp {
        resumptionIndex += 1
      } else {
        isMainSkipped = true
      }
    }
  }

  private mutating func takeMain() -> Pick {
    if let job = main.popFirst() { return .main(job.element) }
    turnEnd = nil
    return .endOfTurn
  }
}
