import AsyncPatterns
import Foundation
import Synchronization
import Testing
import TimingTrace

@Suite struct RecorderTests {
  @Test func `a recorder keeps the order of one thread`() {
    let recorder = Recorder(clock: .live)
    for id in 1...20_000 { recorder.record(event(UInt32(id), at: 0)) }
    #expect(recorder.snapshot().map(\.span.id) == Array(1...20_000))
    #expect(recorder.dropped == 0)
  }

  @Test func `a recorder merges events by time`() {
    let recorder = Recorder(clock: .live)
    for time in [5, 1, 3, 1] as [Int64] { recorder.record(event(UInt32(time), at: time)) }
    #expect(recorder.snapshot().map(\.time.nanoseconds) == [1, 1, 3, 5])
  }

  @Test func `a recorder loses no event under contention`() {
    let recorder = Recorder(clock: .live)
    let threads = 8
    let each = 5_000
    onThreads(threads) { thread in
      for number in 0..<each {
        recorder.record(event(UInt32(thread * each + number), at: Int64(number)))
      }
    }
    let events = recorder.snapshot()
    #expect(Set(events.map(\.span.id)).count == threads * each)
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test func `a recorder can be read while it is being written`() {
    let recorder = Recorder(clock: .live)
    let isDone = Atomic<Bool>(false)
    onThreads(3) { role in
      if role == 0 {
        var seen = 0
        repeat {
          let events = recorder.snapshot()
          #expect(events.count >= seen)
          seen = events.count
        } while !isDone.load(ordering: .acquiring)
      } else {
        for id in 0..<20_000 {
          // The name is too long to be stored inside the event, so that the test covers sharing it.
          recorder.record(.mark("a name of more than fifteen bytes \(id)", of: .none, at: .zero))
        }
        isDone.store(true, ordering: .releasing)
      }
    }
    #expect(recorder.snapshot().count == 40_000)
  }

  @Test func `the virtual clock keeps the order across threads`() throws {
    let recorder = Recorder(clock: .virtual)
    // Two threads take turns; every event has the same time.
    let turn = Atomic<Int>(0)
    onThreads(2) { me in
      for id in 0..<500 where id % 2 == me {
        while turn.load(ordering: .acquiring) != id { sched_yield() }
        recorder.record(event(UInt32(id), at: 0))
        turn.store(id + 1, ordering: .releasing)
      }
    }
    #expect(recorder.snapshot().map(\.span.id) == Array(0..<500))
  }

  @Test(arguments: [0, 1, 63, 64, 65, 1000])
  func `events beyond the limit are discarded and counted`(limit: Int) {
    let recorder = Recorder(clock: .live, limit: limit)
    for id in 0..<1100 { recorder.record(event(UInt32(id), at: 0)) }
    #expect(recorder.snapshot().map(\.span.id) == (0..<limit).map { UInt32($0) })
    #expect(recorder.dropped == 1100 - limit)
  }

  /// Events with names take more memory than others, and use up a block of memory before its room for events.
  @Test(arguments: [0, 1, 40, 64, 65, 1000], 0..<3)
  func `the limit counts events of all sizes`(limit: Int, kind: Int) {
    let recorder = Recorder(clock: .live, limit: limit)
    for id in 0..<1100 {
      let isNamed = kind == 0 || kind == 1 && id % 2 == 0
      let span = Span(id: UInt32(id))
      recorder.record(isNamed ? .mark("name \(id)", of: span, at: .zero) : event(span.id, at: 0))
    }
    let events = recorder.snapshot()
    #expect(events.map(\.span.id) == (0..<limit).map { UInt32($0) })
    #expect(events.allSatisfy { $0.kind != .mark || $0.name == "name \($0.span.id)" })
    #expect(recorder.dropped == 1100 - limit)
  }

  @Test func `a recorder keeps every property of an event`() {
    let (span, other) = (Span(id: 7), Span.outsideRuns(3))
    let time = Instant(nanoseconds: .max)
    var events: [TraceEvent] = [
      .finished(span, .failure, because: Cause(.end, other), awaitsAll: true, at: time),
      .started(span, role: .working, because: Cause(.permit, other), on: other, at: time),
      .finished(span, .cancelled, cancelled: (Cause(.cancellation, other), .zero), at: time),
      .resumed(span, byTimerSet: Instant(nanoseconds: -1), because: .itself, at: time),
      .counter("", -0.0, of: span, at: time), .mark("", "detail", of: span, at: time),
    ]
    events[0].lane = Lane(number: .max)
    let recorder = Recorder(clock: .virtual)
    for event in events { recorder.record(event) }
    #expect(recorder.snapshot().map { "\($0)" } == events.map { "\($0)" })
  }

  @Test func `events of two recorders do not mix`() {
    let first = Recorder(clock: .live)
    for round in 0..<50 {
      let other = Recorder(clock: .live)
      other.record(event(1, at: 0))
      first.record(event(UInt32(round), at: 0))
      other.record(event(2, at: 0))
      #expect(other.snapshot().map(\.span.id) == [1, 2])
    }
    #expect(first.snapshot().count == 50)
  }

  @Test func `a recorder measures the cost of an event`() {
    let overhead = Recorder.measuredOverhead()
    #expect(overhead > .zero)
    #expect(overhead < .microseconds(50))
  }

  @Test func `a recorder returns each event once`() {
    let recorder = Recorder(clock: .live)
    var position = Recorder.Position()
    var seen: [UInt32] = []
    var next: UInt32 = 0
    // The counts reach the ends of chunks and cross them.
    for count in [0, 1, 62, 1, 1, 127, 2, 5000, 0, 3] {
      for _ in 0..<count {
        recorder.record(.started(Span(id: next), at: Instant(nanoseconds: Int64(next))))
        next += 1
      }
      let events = recorder.events(since: &position)
      #expect(events.count == count)
      seen += events.map(\.span.id)
    }
    #expect(seen == Array(0..<next))
    #expect(recorder.snapshot().count == Int(next))
  }

  @Test func `events that are recorded meanwhile are written once`() {
    let recorder = Recorder(clock: .live)
    let told = Locked<[UInt32]>([])
    let running = Locked(2)
    onThreads(3) { role in
      if role == 0 {
        var position = Recorder.Position()
        var isLast = false
        repeat {
          isLast = running.withLock { $0 == 0 }
          let events = recorder.events(since: &position)
          told.withLock { $0 += events.map(\.span.id) }
        } while !isLast
      } else {
        for id in 0..<20_000 {
          recorder.record(.started(Span(id: UInt32(role * 20_000 + id)), at: .zero))
        }
        running.withLock { $0 -= 1 }
      }
    }
    #expect(told.withLock { $0.sorted() } == Array(20_000..<60_000))
  }

  @Test func `a journal may write what other threads still record`() throws {
    let path = NSTemporaryDirectory() + "/journal-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = Recorder(clock: .live)
    let record = RunRecord(name: "busy", pattern: "program", clock: .live, outcome: .unfinished)
    var run = SavedRun(
      name: "busy", source: "", composition: "", workers: 2, record: record, events: [])
    let journal = RunJournal(path: path)
    let number = journal.begin(run, at: .zero, recorder: recorder)
    onThreads(2) { thread in
      for id in 1...20_000 { recorder.record(event(UInt32(thread * 20_000 + id), at: 0)) }
    }
    run.events = recorder.snapshot()
    journal.end(number, run)
    #expect(try SavedRuns.read(path).runs.map(\.events.count) == [40_000])
    #expect(journal.close() == 1)
  }

  private func event(_ id: UInt32, at time: Int64) -> TraceEvent {
    .started(Span(id: id), at: Instant(nanoseconds: time))
  }
}
