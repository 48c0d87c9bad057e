/// Compositions that are nested at random, but the same in each run.
struct RandomCompositions {
  let patterns: [String]
  /// The kinds of leaves that take a duration, each with the text after the duration: `("work", " with on: main")`.
  let leaves: [(kind: String, options: String)]
  /// The duration of every leaf is a multiple of this number of microseconds.
  let unit: Int
  private var generator: SplitMix
  private var labels = 0

  init(
    patterns: [String], leaves: [(kind: String, options: String)], unit: Int = 1000, seed: UInt64
  ) {
    self.patterns = patterns
    self.leaves = leaves
    self.unit = unit
    generator = SplitMix(state: seed)
  }

  mutating func next(depth: Int = 2) -> String {
    let steps = (0..<Int.random(in: 2...4, using: &generator)).map { _ -> String in
      labels += 1
      let label = "s\(labels)"
      if depth > 0, Int.random(in: 0..<3, using: &generator) == 0 {
        return "\(label): \(next(depth: depth - 1))"
      }
      let leaf = leaves.randomElement(using: &generator) ?? ("", "")
      let time = Int.random(in: (1000 / unit)...(40_000 / unit), using: &generator) * unit
      return "\(label): \(leaf.kind) \(time)us\(leaf.options)"
    }
    let pattern = patterns.randomElement(using: &generator) ?? ""
    return "\(pattern) { \(steps.joined(separator: "; ")) }"
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
