/// The schedules that have been tried: how many are distinct, whether they are all, and how likely a new one is.
///
/// The choices of all schedules form a tree. Each schedule is a way from its root to a leaf. A choice is complete when
/// all its candidates have been tried, with everything that can follow each of them.
struct TriedSchedules {
  /// The maximum number of distinct schedules to store, so that memory stays bounded. After that, each unknown schedule
  /// counts as distinct.
  private static let limit = 1 << 20

  /// How often each schedule was tried, at most twice, by its fingerprint.
  private var triesOfEach: [UInt64: UInt8] = [:]
  private var uncounted = 0
  /// How many candidates of a choice are complete, by the fingerprint of the choices before it. Complete choices are not
  /// stored.
  private var completedCandidates: [UInt64: UInt32] = [:]
  /// Kept so that its memory can be used again.
  private var prefixes: [UInt64] = []
  private(set) var tries = 0
  /// How many distinct schedules were tried exactly once.
  private var triedOnce = 0
  /// Whether all schedules without an injection have been tried.
  private(set) var areAll = false

  var distinct: Int { triesOfEach.count + uncounted }

  /// The estimated probability that another random schedule is a new one.
  ///
  /// Good: The population frequencies of species and the estimation of population parameters (1953),
  /// doi:10.1093/biomet/40.3-4.237.
  var chanceOfNew: Double { tries == 0 ? 1 : Double(triedOnce + uncounted) / Double(tries) }

  /// - Complexity: O(n) in the number of choices.
  mutating func insert(_ outcome: TrialRun.Outcome) {
    tries += 1
    let fingerprint = fingerprint(of: outcome)
    switch triesOfEach[fingerprint] {
    case nil where triesOfEach.count < Self.limit:
      triesOfEach[fingerprint] = 1
      triedOnce += 1
      complete(outcome.choices.counts)
    case nil: uncounted += 1
    case 1?:
      triesOfEach[fingerprint] = 2
      triedOnce -= 1
    default: break
    }
  }

  /// The fingerprint of all choices. Stores those of the choices before each one in `prefixes`.
  private mutating func fingerprint(of outcome: TrialRun.Outcome) -> UInt64 {
    var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ value: UInt64) {
      fingerprint = (fingerprint ^ value) &* 0x9E37_79B9_7F4A_7C15
      fingerprint ^= fingerprint >> 29
    }
    if let point = outcome.point { mix(UInt64(point.place) &+ 1 << 32) }
    prefixes.removeAll(keepingCapacity: true)
    for choice in outcome.choices.drawn {
      prefixes.append(fingerprint)
      mix(UInt64(choice))
    }
    return fingerprint
  }

  /// Notes a new leaf of the tree: one more candidate of its last choice is complete.
  ///
  /// - Parameter counts: the number of candidates of each choice on the way to the leaf.
  private mutating func complete(_ counts: [UInt32]) {
    for (prefix, count) in zip(prefixes, counts).reversed() {
      let completed = completedCandidates[prefix, default: 0] + 1
      guard completed >= count else {
        completedCandidates[prefix] = completed
        return
      }
      completedCandidates[prefix] = nil
    }
    areAll = true
  }
}
