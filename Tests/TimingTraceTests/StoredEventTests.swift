import AsyncPatterns
import Dispatch
import Foundation
import Testing

@testable import TraceModel

@Suite struct StoredEventTests {
  @Test func `the properties that every event has come first`() {
    typealias Layout = MemoryLayout<TraceEvent>
    let first = [
      Layout.offset(of: \.kind), Layout.offset(of: \.outcome), Layout.offset(of: \.role),
      Layout.offset(of: \.awaitsAll), Layout.offset(of: \.lane), Layout.offset(of: \.time),
      Layout.offset(of: \.span), Layout.offset(of: \.parent), Layout.offset(of: \.cause),
      Layout.offset(of: \.after),
    ]
    #expect(first.allSatisfy { $0 ?? .max < StoredEvent.headSize })
    #expect(Layout.offset(of: \.awaitsAll) == StoredEvent.partsOffset)
    let numbers = [Layout.offset(of: \.since), Layout.offset(of: \.number)]
    #expect(numbers == [64, 72] && StoredEvent.headSize == 32 && StoredEvent.numberSize == 8)
    let names = [Layout.offset(of: \.name), Layout.offset(of: \.detail)]
    #expect(names == [32, 48] && StoredEvent.namesSize == 32)
    #expect(StoredEvent.largestSize == 88)
  }

  @Test(arguments: [ClockKind.live, .virtual])
  func `an event is read as it was recorded, whichever parts it has`(clock: ClockKind) {
    let recorder = Recorder(clock: clock)
    let events = (0..<32).map { parts in
      func has(_ bit: Int) -> Bool { parts & 1 << bit != 0 }
      return TraceEvent(
        .finished, Span(id: 7), at: Instant(nanoseconds: Int64(parts)), on: Lane(number: 3),
        outcome: .failure, role: .timedOut, awaitsAll: has(0), parent: Span(id: 5),
        cause: Cause(.end, Span(id: 2)), after: Cause(.timer, Span(id: 4)),
        since: Instant(nanoseconds: has(1) ? -1 : 0), number: has(2) ? 0.5 : 0,
        name: has(3) ? "a name of more than fifteen bytes" : "",
        detail: has(4) ? "a detail of more than fifteen bytes" : "")
    }
    for event in events { recorder.record(event) }
    #expect(recorder.snapshot().map { "\($0)" } == events.map { "\($0)" })
    let stored = recorder.events
    #expect(stored.indices.map { stored.name(at: $0) } == events.map(\.name))
    #expect(stored.indices.map { stored.detail(at: $0) } == events.map(\.detail))
    #expect(stored.indices.allSatisfy { stored.span(at: $0) == Span(id: 7) })
    #expect(stored.indices.allSatisfy { stored.lane(at: $0) == Lane(number: 3) })
    #expect(stored.indices.map { stored.time(at: $0) } == events.map(\.time))
  }

  @Test func `an empty name that owns memory is kept`() {
    #expect(unsafeBitCast("", to: (UInt64, UInt64).self) == StoredEvent.emptyLiteral)
    var name = "a name of more than fifteen bytes"
    name.removeAll(keepingCapacity: true)
    let recorder = Recorder(clock: .live)
    for name in [name, ""] { recorder.record(.mark(name, of: .none, at: .zero)) }
    #expect(recorder.snapshot().map(\.name) == ["", ""])
  }

  /// Two threads have taken all room, and one of them drops events. When large events have used up the memory of the
  /// other one early, it gets the rest of its room back.
  @Test func `dropped events take no room from another thread`() {
    let (limit, dropped) = (100, 600_000)
    let recorder = Recorder(clock: .live, limit: limit)
    let event = TraceEvent(
      .mark, .none, at: .zero, on: .main, since: Instant(nanoseconds: 1), number: 1,
      name: "a name", detail: "a detail")
    recorder.record(event)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for _ in 0..<limit - 64 + dropped { recorder.record(.awaited(.none, .itself, at: .zero)) }
      isDone.signal()
    }
    isDone.wait()
    for _ in 1..<64 { recorder.record(event) }
    #expect(recorder.dropped == dropped)
    #expect(recorder.events.count == limit)
  }

  @Test(arguments: [false, true])
  func `events until a time include those at that time`(isStored: Bool) {
    let recorder = Recorder(clock: .live)
    for time in [1, 2, 2, 3] {
      recorder.record(.mark("m", of: .none, at: Instant(nanoseconds: Int64(time))))
    }
    let events = isStored ? recorder.events : TraceEvents(recorder.snapshot())
    let times = (0...4).map { end in
      events.until(Instant(nanoseconds: end)).map(\.time.nanoseconds)
    }
    #expect(times == [[], [1], [1, 2, 2], [1, 2, 2, 3], [1, 2, 2, 3]])
  }
}
