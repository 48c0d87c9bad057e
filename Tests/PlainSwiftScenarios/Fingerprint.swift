import AsyncSimulation

extension Scenario {
  /// Runs the program once in a simulation.
  ///
  /// - Parameter seed: decides the order; 0 is first in, first out.
  /// - Returns: one number for all that happened: each event with its name, lane, time, place and cause, each choice,
  ///   and the outcome.
  public func fingerprint(seed: UInt64) -> UInt64 {
    let hash = EventHash()
    let outcome = Locked("unfinished")
    let runtime = SimulatedRuntime(seed: seed, trace: hash)
    runtime.task { [self] in
      let text: String
      do {
        text = try await run()
      } catch {
        text = "\(error)"
      }
      outcome.withLock { $0 = text }
    }
    let ending = runtime.runUntilIdle()
    hash.mix("\(ending) at \(runtime.now.nanoseconds): \(outcome.withLock { $0 })")
    hash.mix("\(runtime.report.schedule), \(runtime.report.escapes.count) escapes")
    return hash.value
  }
}

/// Hashes what a simulation records.
private final class EventHash: TraceSink {
  private struct State {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    var spanCount: UInt32 = 0

    // The hash of Fowler, Noll and Vo, since the hashes of the standard library differ from process to process.
    mutating func mix(_ text: String) {
      for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    mutating func mix(_ number: UInt64) {
      value = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
      value ^= value >> 29
    }
  }

  private let state = Locked(State())

  var value: UInt64 { state.withLock { $0.value } }

  func mix(_ text: String) { state.withLock { $0.mix(text) } }

  func nextSpan() -> Span {
    .outsideRuns(
      state.withLock { state in
        state.spanCount += 1
        return state.spanCount
      })
  }

  func record(_ event: consuming TraceEvent) {
    let event = event
    state.withLock { state in
      for cause in [event.cause, event.after] {
        state.mix(UInt64(cause.kind.rawValue))
        state.mix(UInt64(cause.span.id))
      }
      state.mix(UInt64(event.kind.rawValue))
      state.mix(UInt64(event.role.rawValue))
      state.mix(event.outcome.map { UInt64($0.rawValue) } ?? .max)
      state.mix(event.awaitsAll ? 1 : 0)
      state.mix(UInt64(event.lane.number))
      state.mix(UInt64(bitPattern: event.time.nanoseconds))
      state.mix(UInt64(event.span.id))
      state.mix(UInt64(event.parent.id))
      state.mix(UInt64(bitPattern: event.since.nanoseconds))
      state.mix(event.number.bitPattern)
      state.mix(event.name)
      state.mix(event.detail)
    }
  }
}
