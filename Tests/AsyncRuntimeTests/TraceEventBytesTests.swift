import AsyncRuntime
import Testing

/// Tests the bytes with which a library reports an event to the recording of its process.
@Suite struct TraceEventBytesTests {
  private let lane = Lane(number: 3)
  private let time = Instant(nanoseconds: 7)

  private func bytes(of event: TraceEvent) -> [UInt8] {
    var bytes: [UInt8] = []
    event.withBytes { bytes = Array($0) }
    return bytes
  }

  private func event(of bytes: [UInt8]) -> TraceEvent? {
    bytes.withUnsafeBytes { TraceEvent($0, on: lane, at: time) }
  }

  private static let events: [TraceEvent] = [
    .submitted(
      .outsideRuns(5), in: .outsideRuns(2), label: "send – α", kind: "item", role: .chain,
      by: .outsideRuns(9), at: .zero),
    .started(
      .outsideRuns(5), because: Cause(.permit, .outsideRuns(4)), ready: Instant(nanoseconds: 40),
      behind: .outsideRuns(6), on: .outsideRuns(1), at: Instant(nanoseconds: 90)),
    .finished(
      .outsideRuns(5), .failure, because: .itself,
      cancelled: (Cause(.cancellation, .outsideRuns(8)), Instant(nanoseconds: 11)),
      reason: "no such host", awaitsAll: true, at: .zero),
    .counter("depth", 2.5, of: .none, at: .zero),
    .mark("", "", of: .none, at: .zero),
  ]

  @Test(arguments: events) func `decoding restores the encoded event`(_ event: TraceEvent) throws {
    var expected = event
    (expected.lane, expected.time) = (lane, time)
    let back = try #require(self.event(of: bytes(of: event)))
    #expect(String(describing: back) == String(describing: expected))
  }

  @Test(arguments: events) func `a truncated event is not decoded`(_ event: TraceEvent) {
    #expect(self.event(of: Array(bytes(of: event).dropLast())) == nil)
  }

  @Test func `bytes after an event are ignored`() {
    let padded = bytes(of: .mark("name", "detail", of: .none, at: .zero)) + [0, 0, 0]
    #expect(event(of: padded)?.detail == "detail")
  }

  @Test func `a long text is truncated`() {
    let event = event(
      of: bytes(of: .mark("name", String(repeating: "x", count: 500), of: .none, at: .zero)))
    #expect(event?.name == "name")
    #expect(event?.detail == String(repeating: "x", count: 200))
  }
}
