import AsyncPatterns
import Measuring
import TimingTrace

/// What recording an event costs beyond reading the clock.
enum Events {
  private static let count = 200_000

  static func measure() throws -> [Figure] {
    let runtime: any Runtime = LiveRuntime.shared
    let medians = try Contestant.medians(
      of: [
        Contestant("recording") { time(recorder(), on: runtime) },
        Contestant("dropping") { time(Dropping(), on: runtime) },
        Contestant("reading the clock") {
          var latest = Instant.zero
          let time = ContinuousClock().measure {
            for _ in 0..<count { latest = max(latest, runtime.now) }
          }
          precondition(latest > .zero)
          return time
        },
      ], rounds: 31
    ).map { $0 / count }
    let (recording, dropping, reading) = (medians[0], medians[1], medians[2])
    return [
      Figure(
        "recording an event, without reading the clock", recording - reading,
        peer: ("reading the clock", reading), target: .nanoseconds(20)),
      Figure("of which making it", dropping - reading, peer: ("keeping it", recording - dropping)),
    ]
  }

  private static func time(_ sink: any TraceSink, on runtime: any Runtime) -> Duration {
    ContinuousClock().measure {
      for id in 0..<count { sink.record(.started(Span(id: UInt32(id)), at: runtime.now)) }
    }
  }

  /// What a traced run on the live clock is recorded with.
  static func recorder() -> any TraceSink { Recorder(clock: .live) }
}

/// Makes nothing of what it is told.
private final class Dropping: TraceSink {
  @inline(never) func record(_ event: TraceEvent) {}
}
