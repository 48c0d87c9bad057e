internal import AsyncPatterns

/// How far apart two times may lie and still count as one.
///
/// On the virtual clock they are one or they are not. On the live one, what brings something about and that itself lie
/// some way apart, and others end in between.
struct Latency {
  let clock: ClockKind

  /// The longest time, in nanoseconds, that counts as none beside a step that took `duration`: a fiftieth of that, and
  /// no more than a millisecond.
  func limit(beside duration: Int64) -> Int64 {
    switch clock {
    case .live: min(max(duration, 0) / 50, 1_000_000)
    case .virtual: 0
    }
  }

  /// How long after it was called off, or had got its lane, in nanoseconds, what took `duration` may end or start and still
  /// count as doing so because of that: 5 ms, or a tenth of that time but no more than 50 ms, since other threads have
  /// to be told and to run.
  func handOverLimit(beside duration: Int64) -> Int64 {
    switch clock {
    case .live: min(max(duration / 10, 5_000_000), 50_000_000)
    case .virtual: 0
    }
  }
}
