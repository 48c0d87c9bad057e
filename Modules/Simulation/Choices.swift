/// Where the order of what could happen in any order comes from: every such choice is drawn here.
///
/// Choice 0 is always first in, first out. The list of choices is the schedule of a simulation: replayed,
/// it gives the same one again.
struct Choices {
  private var generator: SplitMix64?
  private var prescribed: [Int]
  private var drawn: [UInt32] = []

  /// - Parameter schedule: taken first; after its end, choices come from `seed`, or are 0 if a
  ///   schedule was given.
  init(seed: UInt64, replaying schedule: [Int]?) {
    prescribed = (schedule ?? []).reversed()
    generator = seed == 0 || schedule != nil ? nil : SplitMix64(state: seed)
  }

  /// Whether every choice from now on is the first: then nobody needs to count the candidates.
  var isFirstInFirstOut: Bool { generator == nil && prescribed.isEmpty }

  /// One of `count` candidates.
  mutating func choose(_ count: Int) -> Int {
    guard count > 1, !isFirstInFirstOut else { return 0 }
    let choice: Int
    if let next = prescribed.popLast() {
      choice = min(max(next, 0), count - 1)
    } else {
      choice = generator?.next(below: count) ?? 0
    }
    drawn.append(UInt32(choice))
    return choice
  }

  /// The choices so far, without the zeros at the end: those come by themselves.
  var schedule: [Int] {
    let end = drawn.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return drawn[..<end].map(Int.init)
  }
}

/// Steele, Lea and Flood: Fast splittable pseudorandom number generators (2014),
/// doi:10.1145/2660193.2660195.
struct SplitMix64 {
  var state: UInt64

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(mixed.multipliedFullWidth(by: UInt64(bound)).high)
  }
}
