/// Where the order of what could happen in any order comes from: every such choice is drawn here.
///
/// Choice 0 is always first in, first out. The list of choices is the schedule of a simulation: replayed,
/// it gives the same one again.
struct Choices {
  /// Where choices come from when nothing prescribes them.
  enum Source {
    case firstInFirstOut
    case random(SplitMix64)
    case priorities(ChainPriorities)
  }

  private var source: Source
  private let prescribed: [UInt32]
  /// Whether it keeps how many candidates each choice had, even if every choice is the first.
  private let keepsCounts: Bool
  private(set) var drawn: [UInt32] = []
  /// How many candidates there were, for each that was drawn; empty unless they are kept.
  private(set) var counts: [UInt32] = []
  /// Whether every choice from now on is the first: then nobody needs to count the candidates.
  private(set) var isFirstInFirstOut: Bool

  /// - Parameters:
  ///   - source: where choices come from after the end of `schedule`.
  ///   - schedule: taken first.
  ///   - keepsCounts: whether to keep how many candidates each choice had.
  init(_ source: Source, replaying schedule: [UInt32] = [], keepsCounts: Bool = false) {
    self.source = source
    self.keepsCounts = keepsCounts
    prescribed = schedule
    isFirstInFirstOut = false
    noteWhetherFirstInFirstOut()
  }

  /// Choices from `seed`, of which 0 is first in, first out.
  init(seed: UInt64) {
    self.init(seed == 0 ? .firstInFirstOut : .random(SplitMix64(state: seed)))
  }

  /// Choices that were drawn elsewhere.
  init(drawn: [UInt32], counts: [UInt32]) {
    self.init(.firstInFirstOut)
    self.drawn = drawn
    self.counts = counts
  }

  private mutating func noteWhetherFirstInFirstOut() {
    guard !keepsCounts, drawn.count >= prescribed.count, case .firstInFirstOut = source else {
      return
    }
    isFirstInFirstOut = true
  }

  /// Whether it goes by who the candidates are, not by how many.
  var goesByChains: Bool {
    if case .priorities = source { drawn.count >= prescribed.count } else { false }
  }

  /// One of `count` candidates.
  mutating func choose(_ count: Int) -> Int {
    guard count > 1, !isFirstInFirstOut else { return 0 }
    let choice: Int
    if drawn.count < prescribed.count {
      choice = min(Int(prescribed[drawn.count]), count - 1)
    } else {
      choice = choose(freelyAmong: count)
    }
    note(choice, of: count)
    return choice
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

  /// One of the candidates, each of which goes on with a chain of jobs.
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

  /// The choices so far, without the zeros at the end: those come by themselves.
  var schedule: [Int] { trimmed.map(Int.init) }

  var trimmed: ArraySlice<UInt32> {
    let end = drawn.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return drawn[..<end]
  }
}

/// Steele, Lea and Flood: Fast splittable pseudorandom number generators (2014),
/// doi:10.1145/2660193.2660195.
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func next(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
