/// The source of every choice between things that could happen in any order.
///
/// Choice 0 is always first in, first out. The list of choices is the schedule of a simulation. Replaying it repeats
/// the simulation.
struct Choices {
  /// The source of choices that no schedule prescribes.
  enum Source {
    case firstInFirstOut
    case random(SplitMix)
    case priorities(ChainPriorities)
  }

  private var source: Source
  private let prescribed: [UInt32]
  /// Whether the number of candidates of each choice is recorded, even if every choice is the first.
  private let keepsCounts: Bool
  /// The first prescribed choice that was not among its candidates, and how many candidates there were.
  private var missing: (index: Int, choice: Int, count: Int)?
  private(set) var drawn: [UInt32] = []
  /// The number of candidates of each drawn choice; empty if it is not recorded.
  private(set) var counts: [UInt32] = []
  /// Whether every choice from now on is the first, so that candidates need not be counted.
  private(set) var isFirstInFirstOut: Bool

  /// - Parameters:
  ///   - source: the source of choices after the end of `schedule`.
  ///   - schedule: the choices that are taken first.
  ///   - keepsCounts: whether to record the number of candidates of each choice.
  init(_ source: Source, replaying schedule: [UInt32] = [], keepsCounts: Bool = false) {
    self.source = source
    self.keepsCounts = keepsCounts
    prescribed = schedule
    isFirstInFirstOut = false
    noteWhetherFirstInFirstOut()
  }

  /// Choices from `seed`. Seed 0 means first in, first out.
  init(seed: UInt64) {
    self.init(seed == 0 ? .firstInFirstOut : .random(SplitMix(seed: seed)))
  }

  /// Choices that were drawn elsewhere.
  init(drawn: [UInt32], counts: [UInt32]) {
    self.init(.firstInFirstOut)
    self.drawn = drawn
    self.counts = counts
  }

  /// Makes room for the choices of a schedule with that length.
  mutating func reserve(_ length: Int) {
    drawn.reserveCapacity(length)
    if keepsCounts { counts.reserveCapacity(length) }
  }

  private mutating func noteWhetherFirstInFirstOut() {
    guard !keepsCounts, drawn.count >= prescribed.count, case .firstInFirstOut = source else {
      return
    }
    isFirstInFirstOut = true
  }

  /// Whether a choice depends on the chains of the candidates, not only on their number.
  var dependsOnChains: Bool {
    if case .priorities = source { drawn.count >= prescribed.count } else { false }
  }

  /// Chooses one of `count` candidates.
  mutating func choose(_ count: Int) -> Int {
    guard count > 1, !isFirstInFirstOut else { return 0 }
    let choice: Int
    if drawn.count < prescribed.count {
      choice = prescribedChoice(among: count)
    } else {
      choice = choose(freelyAmong: count)
    }
    note(choice, of: count)
    return choice
  }

  private mutating func prescribedChoice(among count: Int) -> Int {
    let choice = Int(prescribed[drawn.count])
    if choice < count { return choice }
    if missing == nil { missing = (drawn.count, choice, count) }
    return count - 1
  }

  /// What shows that the schedule belongs to other code; nil if nothing does.
  ///
  /// - Parameter hasEnded: whether the run has ended by itself, so that no choice will follow.
  func misfit(hasEnded: Bool) -> String? {
    if let missing {
      "choice \(missing.index) is candidate \(missing.choice), but there are only \(missing.count)"
    } else if hasEnded, drawn.count < prescribed.count {
      "the run ends before choice \(prescribed.count - 1)"
    } else {
      nil
    }
  }

  private mutating func choose(freelyAmong count: Int) -> Int {
    switch source {
    case .firstInFirstOut: return 0
    case .random(var generator):
      defer { source = .random(generator) }
      return generator.next(below: count)
    case .priorities(var priorities):
      defer { source = .priorities(priorities) }
      return priorities.choose(count)
    }
  }

  /// Chooses one of the candidates, each of which continues a chain of jobs.
  mutating func choose(among chains: [UInt32]) -> Int {
    guard case .priorities(var priorities) = source else { return choose(chains.count) }
    let choice = priorities.choose(among: chains)
    source = .priorities(priorities)
    if chains.count > 1 { note(choice, of: chains.count) }
    return choice
  }

  private mutating func note(_ choice: Int, of count: Int) {
    drawn.append(UInt32(clamping: choice))
    if keepsCounts { counts.append(UInt32(clamping: count)) }
    if drawn.count == prescribed.count { noteWhetherFirstInFirstOut() }
  }

  /// The choices so far, without the zeros at the end: after the end of a schedule, every choice is 0.
  var schedule: [Int] { trimmed.map(Int.init) }

  var trimmed: ArraySlice<UInt32> {
    let end = drawn.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return drawn[..<end]
  }
}

extension SplitMix {
  mutating func next(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
