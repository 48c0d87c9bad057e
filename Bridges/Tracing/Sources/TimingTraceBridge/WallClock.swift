internal import AsyncPatterns
internal import Synchronization
internal import Tracing

/// Converts between the time of day and the clock of a runtime.
///
/// The clock of a runtime is monotonic. The time of day is not, because it can be set and it drifts. So an event that
/// happens now takes its time from the clock of the runtime. Only other times are converted, by a stored difference. A
/// new measurement replaces it if the two differ by more than a millisecond.
final class WallClock: Sendable {
  let runtime: any Runtime
  private let birth: Int64
  /// The time of day minus the time of the runtime.
  private let difference: Atomic<Int64>

  init(_ runtime: any Runtime) {
    self.runtime = runtime
    var narrowest = Int64.max
    var best: Int64 = 0
    birth = WallClock.now
    // If the thread is interrupted between two readings, the interruption is measured, too. So several attempts are
    // made.
    for _ in 0..<5 {
      let before = WallClock.now
      let time = runtime.now.nanoseconds
      let width = WallClock.now - before
      guard width < narrowest else { continue }
      narrowest = width
      best = before + width / 2 - time
    }
    difference = Atomic(best)
  }

  /// Makes a clock that only converts, for a virtual clock that starts at a time of day in nanoseconds since 1970.
  init(startingAt start: Int64) {
    runtime = LiveRuntime.shared
    birth = start
    difference = Atomic(start)
  }

  static var now: Int64 { Int64(clamping: DefaultTracerClock.now.nanosecondsSinceEpoch) }

  /// Calls `asked`, and converts the time that it returns to the clock of the runtime.
  func instant(_ asked: () -> some TracerInstant) -> AsyncPatterns.Instant {
    let before = WallClock.now
    let asked = Int64(clamping: asked().nanosecondsSinceEpoch)
    let now = runtime.now
    let after = WallClock.now
    guard before <= asked, asked <= after else { return instant(at: asked) }
    adjust(to: asked, now, within: after - before)
    return now
  }

  /// Converts a time of day to the clock of the runtime. On a virtual clock, each time after the creation of this
  /// object counts as the current time.
  func instant(at asked: Int64) -> AsyncPatterns.Instant {
    if runtime.clockKind == .virtual, asked >= birth { return runtime.now }
    let (nanoseconds, overflow) = asked.subtractingReportingOverflow(
      difference.load(ordering: .relaxed))
    return AsyncPatterns.Instant(nanoseconds: overflow ? .max : nanoseconds)
  }

  /// The time of day of an instant of the runtime.
  func timestamp(of instant: AsyncPatterns.Instant) -> DefaultTracerClock.Timestamp {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(
      difference.load(ordering: .relaxed))
    return DefaultTracerClock.Timestamp(
      nanosecondsSinceEpoch: UInt64(clamping: overflow ? .max : sum))
  }

  private func adjust(to wall: Int64, _ now: AsyncPatterns.Instant, within width: Int64) {
    guard runtime.clockKind == .live, width < 20_000 else { return }
    let measured = wall - now.nanoseconds
    guard abs(measured - difference.load(ordering: .relaxed)) > 1_000_000 else { return }
    difference.store(measured, ordering: .relaxed)
  }
}
