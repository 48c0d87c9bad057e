import AsyncPatterns
import Measuring
import TimingTrace

/// The cost of recording an event beyond reading the clock, and the cost without a recorder.
enum Recording {
  private static let count = 200_000

  static func measure() throws -> [Figure] {
    let runtime: any Runtime = LiveRuntime.shared
    let untraced = Traced(trace: nil)
    let medians = try Contestant.medians(
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
    ).map { $0 / count }
    let (recording, dropping, reading, off) = (medians[0], medians[1], medians[2], medians[3])
    return [
      Figure(
        "recording an event, without reading the clock", recording - reading,
        peer: ("reading the clock", reading), target: .nanoseconds(20)),
      Figure("of which making it", dropping - reading, peer: ("keeping it", recording - dropping)),
      Figure("without a trace", off, target: .nanoseconds(3)),
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
