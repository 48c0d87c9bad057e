import AsyncRuntime

/// How long to wait before another try.
///
/// Many who fail together and wait equally long will fail together again: jitter scatters them. Growth by a
/// factor, and the kinds of jitter, are those of Marc Brooker's “Exponential Backoff And Jitter” (Amazon Web
/// Services, 2015).
public struct Backoff: Sendable, Hashable {
  /// Before the second try.
  public var first: Duration
  /// What the wait is multiplied by from each try to the next.
  public var factor: Double
  /// The longest wait, before jitter.
  public var limit: Duration
  public var jitter: Jitter

  /// Which part of a wait is left to chance.
  public enum Jitter: String, Sendable, Hashable, CaseIterable {
    case none
    /// The second half.
    case half
    /// All of it.
    case full
  }

  /// - Parameters:
  ///   - first: before the second try; below zero counts as none.
  ///   - factor: what is below one, or no number, counts as one.
  ///   - limit: the longest wait, before jitter.
  public init(
    _ first: Duration = .zero, factor: Double = 1, limit: Duration = .seconds(100 * 365 * 86_400),
    jitter: Jitter = .none
  ) {
    self.first = first
    self.factor = factor
    self.limit = limit
    self.jitter = jitter
  }

  /// The same wait before each try.
  public static func constant(_ delay: Duration, jitter: Jitter = .none) -> Backoff {
    Backoff(delay, jitter: jitter)
  }

  /// A wait that doubles from each try to the next.
  public static func exponential(
    _ first: Duration, factor: Double = 2, limit: Duration = .seconds(60), jitter: Jitter = .full
  ) -> Backoff {
    Backoff(first, factor: factor, limit: limit, jitter: jitter)
  }

  /// The wait before try number `attempt`, of which the first needs none.
  public func delay(
    before attempt: Int, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    guard attempt > 1, first > .zero, limit > .zero else { return .zero }
    var wait = min(first, limit)
    if factor > 1 {
      var growth = 1.0
      for _ in 2..<attempt {
        growth *= factor
        // From here on it only gets longer.
        if growth >= limit / first { break }
      }
      // The quotient is a number, since neither is zero.
      wait = growth >= limit / first ? limit : wait * growth
    }
    switch jitter {
    case .none: return wait
    case .half: return wait * Double.random(in: 0.5...1, using: &generator)
    case .full: return wait * Double.random(in: 0...1, using: &generator)
    }
  }
}

/// Sebastiano Vigna's SplitMix64: small, and the same everywhere for the same seed.
struct JitterGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Drawn by chance on the live clock; on a virtual one the same for the same step.
  init(for runtime: any Runtime) {
    switch runtime.clockKind {
    case .live: state = .random(in: 0...UInt64.max)
    case .virtual: state = UInt64(truncatingIfNeeded: LaneContext.current.span.id)
    }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
