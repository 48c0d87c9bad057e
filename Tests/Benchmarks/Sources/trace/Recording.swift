import AsyncPatterns
import Measuring
import TimingTrace

/// The cost of recording an event beyond reading the clock, and the cost without a recorder.
enum Recording {
  private static let count = 200_000

  static func measure() throws -> [Figure] {
    let runtime: any Runtime = LiveRuntime.shared
    let untraced = Traced(trace: nil)
    let times = try Contestant.times(
      of: [
        Contestant("recording") { time(Recorder(clock: .live), on: runtime) },
        Contestant("dropping") { time(Dropping(), on: runtime) },
        Contestant("reading the clock") {
          var latest = Instant.zero
          let time = ContinuousClock().measure {
            for _ in 0..<count { latest = max(latest, runtime.now) }
          }
          precondition(latest > .zero)
          return time
        },
        Contestant("without a trace") {
          ContinuousClock().measure { for id in 0..<count { untraced.start(UInt32(id), runtime) } }
        },
      ], rounds: 31
    )
    /// The median of the differences of all rounds.
    func difference(_ one: Int, _ other: Int) -> Duration {
      zip(times[one], times[other]).map { $0 - $1 }.median / count
    }
    let (recording, dropping, reading, off) = (0, 1, 2, 3)
    return [
      Figure(
        "recording an event, without reading the clock", difference(recording, reading),
        peer: ("reading the clock", times[reading].median / count), target: .nanoseconds(20)),
      Figure(
        "of which making it", difference(dropping, reading),
        peer: ("keeping it", difference(recording, dropping))),
      Figure("without a trace", times[off].median / count, target: .nanoseconds(3)),
    ]
  }

  private static func time(_ sink: any TraceSink, on runtime: any Runtime) -> Duration {
    ContinuousClock().measure {
      for id in 0..<count { sink.record(.started(Span(id: UInt32(id)), at: runtime.now)) }
    }
  }
}

/// Ignores all events.
private final class Dropping: TraceSink {
  @inline(never) func record(_ event: TraceEvent) {}
}

/// An object that records its events in a trace, if there is one.
private struct Traced {
  let trace: (any TraceSink)?

  @inline(never)
  func start(_ id: UInt32, _ runtime: any Runtime) {
    if let trace { trace.record(.started(Span(id: id), at: runtime.now)) }
  }
}
