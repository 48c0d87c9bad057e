/// The delay before another attempt.
///
/// Callers that fail together and wait equally long will fail together again; jitter spreads them out. The growth by a
/// factor and the kinds of jitter follow Marc Brooker, “Exponential Backoff And Jitter” (Amazon Web Services, 2015).
public struct Backoff: Sendable, Hashable {
  /// The delay before the second attempt.
  public var first: Duration
  /// The factor by which the delay grows from each attempt to the next.
  public var factor: Double
  /// The longest delay, before jitter.
  public var limit: Duration
  public var jitter: Jitter

  /// The part of a delay that is random.
  public enum Jitter: String, Sendable, Hashable, CaseIterable {
    case none
    /// The second half of the delay is random.
    case half
    /// The whole delay is random.
    case full
  }

  /// - Parameters:
  ///   - first: the delay before the second attempt. A negative value counts as zero.
  ///   - factor: a factor below one, or one that is not a number, counts as one.
  ///   - limit: the longest delay, before jitter.
  public init(
    _ first: Duration = .zero, factor: Double = 1, limit: Duration = .seconds(100 * 365 * 86_400),
    jitter: Jitter = .none
  ) {
    self.first = first
    self.factor = factor
    self.limit = limit
    self.jitter = jitter
  }

  /// The same delay before each attempt.
  public static func constant(_ delay: Duration, jitter: Jitter = .none) -> Backoff {
    Backoff(delay, jitter: jitter)
  }

  /// A delay that doubles from each attempt to the next, or grows by `factor`.
  ///
  /// By default, each actual delay is a random part of that, since `jitter` is `.full`. With `.none`, there is no
  /// randomness.
  public static func exponential(
    _ first: Duration, factor: Double = 2, limit: Duration = .seconds(60), jitter: Jitter = .full
  ) -> Backoff {
    Backoff(first, factor: factor, limit: limit, jitter: jitter)
  }

  /// Whether any attempt but the first has a delay.
  package var hasDelay: Bool { first > .zero && limit > .zero }

  /// The delay before attempt number `attempt`. The first attempt has none.
  public func delay(
    before attempt: Int, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    guard attempt > 1, hasDelay else { return .zero }
    var wait = min(first, limit)
    if factor > 1 {
      var growth = 1.0
      for _ in 2..<attempt {
        growth *= factor
        // The delay has reached its limit, and would only get longer.
        if growth >= limit / first { break }
      }
      // The quotient is a number, since neither operand is zero.
      wait = growth >= limit / first ? limit : wait * growth
    }
    switch jitter {
    case .none: return wait
    case .half: return wait * Double.random(in: 0.5...1, using: &generator)
    case .full: return wait * Double.random(in: 0...1, using: &generator)
    }
  }
}

extension SplitMix {
  /// The generator for random delays. On the live clock the seed is random. On a virtual clock the same step always
  /// gets the same seed.
  package init(for runtime: any Runtime) {
    switch runtime.clockKind {
    case .live: self.init(seed: .random(in: 0...UInt64.max))
    case .virtual: self.init(seed: UInt64(truncatingIfNeeded: LaneContext.current.span.id))
    }
  }
}
