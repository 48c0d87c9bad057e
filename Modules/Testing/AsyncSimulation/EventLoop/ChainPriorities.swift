/// Continues the chain of jobs that has the highest priority. Priorities are random. At a few random events, the
/// running chain falls below all others. A bug that needs *d* orderings is found with a probability of at least
/// 1 / (*n* · *k*^(*d* − 1)). Here *n* is the number of chains, and *k* the number of events.
///
/// Burckhardt, Kothari, Musuvathi and Nagarakatte: A randomized scheduler with probabilistic guarantees of finding bugs
/// (2010), doi:10.1145/1735970.1736040. Chains replace threads as in Ozkan, Majumdar, Niksic, Befrouei and
/// Weissenbacher: Randomized testing of distributed systems with probabilistic guarantees (2018), doi:10.1145/3276530.
struct ChainPriorities {
  private var generator: SplitMix
  /// The priority of each chain; 0 for a chain that has not occurred yet.
  private var priorities: [UInt64] = []
  /// The numbers of choices after which the running chain falls, in descending order.
  private var changes: [Int]
  private var choiceCount = 0

  /// - Parameters:
  ///   - depth: how many orderings a bug may need. It is one more than the number of changes.
  ///   - length: the expected number of choices.
  init(_ generator: SplitMix, depth: Int, length: Int) {
    var generator = generator
    changes = []
    // More changes than choices would have no effect.
    for _ in 1..<max(min(depth, length + 1), 1) {
      changes.append(generator.next(below: max(length, 1)))
    }
    changes.sort(by: >)
    self.generator = generator
  }

  /// Chooses one of `count` candidates that belong to no chain.
  mutating func choose(_ count: Int) -> Int { generator.next(below: count) }

  mutating func choose(among chains: [UInt32]) -> Int {
    var choice = highest(of: chains)
    if let change = changes.last, choiceCount >= change {
      // Below every random priority. Each later change gives a lower one.
      priorities[Int(chains[choice])] = UInt64(changes.count)
      changes.removeLast()
      choice = highest(of: chains)
    }
    choiceCount += 1
    return choice
  }

  private mutating func highest(of chains: [UInt32]) -> Int {
    var best = 0
    var bestPriority: UInt64 = 0
    for (index, chain) in chains.enumerated() {
      let priority = priority(of: Int(chain))
      if priority > bestPriority { (best, bestPriority) = (index, priority) }
    }
    return best
  }

  private mutating func priority(of chain: Int) -> UInt64 {
    while priorities.count <= chain { priorities.append(0) }
    if priorities[chain] == 0 { priorities[chain] = generator.next() | 1 << 63 }
    return priorities[chain]
  }
}

/// Assigns each job to a chain of jobs. The first job that a job schedules continues its chain. Each further job starts
/// a new chain.
struct Chains {
  private var running: UInt32 = 0
  private var isPassedOn = true
  private var count: UInt32 = 0

  /// Notes that a job of `chain` runs from now on.
  mutating func enter(_ chain: UInt32) {
    running = chain
    isPassedOn = false
  }

  /// The chain of the job that is being scheduled.
  mutating func next() -> UInt32 {
    if !isPassedOn {
      isPassedOn = true
      return running
    }
    count &+= 1
    return count
  }
}
