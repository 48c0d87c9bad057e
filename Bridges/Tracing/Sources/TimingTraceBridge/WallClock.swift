internal import AsyncPatterns
internal import Synchronization
internal import Tracing

/// The time of day as a runtime's clock has it, and back.
///
/// A runtime's clock is monotonic, the time of day is not: it is set, and it drifts. What is said to happen
/// now is therefore read off the runtime's clock; only another time is converted, by a difference that is
/// measured anew when it has moved by more than a millisecond.
final class WallClock: Sendable {
  let runtime: any Runtime
  private let birth: Int64
  /// The time of day less the runtime's.
  private let difference: Atomic<Int64>

  init(_ runtime: any Runtime) {
    self.runtime = runtime
    var narrowest = Int64.max
    var best: Int64 = 0
    birth = WallClock.now
    // Whoever is interrupted between two readings measures that, too.
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

  /// That of a virtual clock which begins at a time of day, in nanoseconds since 1970: for conversion alone.
  init(startingAt start: Int64) {
    runtime = LiveRuntime.shared
    birth = start
    difference = Atomic(start)
  }

  static var now: Int64 { Int64(clamping: DefaultTracerClock.now.nanosecondsSinceEpoch) }

  /// When `asked` is on the runtime's clock.
  func instant(_ asked: () -> some TracerInstant) -> AsyncPatterns.Instant {
    let before = WallClock.now
    let asked = Int64(clamping: asked().nanosecondsSinceEpoch)
    let now = runtime.now
    let after = WallClock.now
    guard before <= asked, asked <= after else { return instant(at: asked) }
    adjust(to: asked, now, within: after - before)
    return now
  }

  /// When a time of day is on the runtime's clock. On a virtual one everything since this was made is now.
  func instant(at asked: Int64) -> AsyncPatterns.Instant {
    if runtime.clockKind == .virtual, asked >= birth { return runtime.now }
    let (nanoseconds, overflow) = asked.subtractingReportingOverflow(
      difference.load(ordering: .relaxed))
    return AsyncPatterns.Instant(nanoseconds: overflow ? .max : nanoseconds)
  }

  /// Which time of day an instant of the runtime is.
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
