import AsyncPatterns
import Measuring
import TimingTrace

/// What recording an event costs beyond reading the clock.
enum Events {
  private static let count = 200_000

  static func measure() throws -> [Figure] {
    let runtime: any Runtime = LiveRuntime.shared
    let clock = ContinuousClock()
    let medians = try Contestant.medians(
      of: [
        Contestant("recording") {
          let sink: any TraceSink = recorder()
          return clock.measure {
            for id in 0..<count {
              sink.record(.started(Span(id: UInt32(id)), at: runtime.now))
            }
          }
        },
        Contestant("reading the clock") {
          var latest = Instant.zero
          let time = clock.measure { for _ in 0..<count { latest = max(latest, runtime.now) } }
          precondition(latest > .zero)
          return time
        },
      ], rounds: 31)
    let (recording, reading) = (medians[0] / count, medians[1] / count)
    return [
      Figure(
        "recording an event, without reading the clock", recording - reading,
        peer: ("reading the clock", reading), target: .nanoseconds(20))
    ]
  }

  /// What a traced run on the live clock is recorded with.
  static func recorder() -> any TraceSink { Recorder(clock: .live) }
}
