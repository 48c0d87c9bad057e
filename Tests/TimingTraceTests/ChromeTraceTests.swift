import Foundation
import Testing
import TimingTrace

@Suite struct ChromeTraceTests {
  /// A `group` of two overlapping steps, then a third step after both, with counters and marks.
  static let script = {
    var script = EventScript()
    script.submit("root", "graph", label: "a \"quoted\"\nname", at: 5)
    script.start("root", at: 5)
    for key in ["a", "b", "c", "lone"] { script.submit(key, in: "root", at: 5) }
    for key in ["a", "b", "lone"] { script.start(key, at: 5) }
    script.counter("depth", 2.5, of: "a", at: 6)
    script.block("root", at: 7)
    script.unblock("root", at: 8)
    script.finish("lone", at: 12)
    script.finish("a", at: 15)
    script.finish("b", at: 20)
    script.start("c", after: "a", "b", at: 20)
    script.finish("c", at: 20)
    script.misuse("completed-twice", "c", at: 21)
    script.finish("root", at: 22)
    return script
  }()

  private func events(_ script: EventScript) throws -> [[String: Any]] {
    let json = ChromeTrace.json(script.record(name: "漢字\u{1}"), events: script.events)
    // Perfetto does not decode these escapes in names.
    let start = try #require(json.range(of: "\"traceEvents\"")).lowerBound
    #expect(!json[start...].contains("\\u"))
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    return try #require(root["traceEvents"] as? [[String: Any]])
  }

  @Test func `every event except metadata has a time`() throws {
    for event in try events(Self.script) {
      let phase = try #require(event["ph"] as? String)
      #expect((event["ts"] is NSNumber) == (phase != "M"))
      if phase == "X" { #expect(event["dur"] is NSNumber) }
    }
  }

  @Test func `each begin has an end with the same name`() throws {
    let events = try events(Self.script)
    func keys(_ phase: String) -> [String] {
      events.filter { $0["ph"] as? String == phase }
        .map { "\($0["cat"] ?? "") \($0["id"] ?? "") \($0["name"] ?? "")" }.sorted()
    }
    #expect(!keys("b").isEmpty)
    #expect(keys("b") == keys("e"))
    #expect(Set(keys("b")).count == keys("b").count)
  }

  @Test func `each edge has an arrow`() throws {
    let events = try events(Self.script)
    func ids(_ phase: String) -> [Int] {
      events.filter { $0["ph"] as? String == phase }.compactMap { $0["id"] as? Int }.sorted()
    }
    #expect(ids("s").count == 2)
    #expect(ids("s") == ids("f"))
    #expect(Set(ids("s")).count == 2)
    for (index, event) in events.enumerated() {
      guard let phase = event["ph"] as? String, phase == "s" || phase == "f" else { continue }
      // The flow event binds to the slice that started last on its thread.
      let slice = try #require(
        events[..<index].last {
          $0["ph"] as? String == "X" && $0["tid"] as? Int == event["tid"] as? Int
        })
      let begin = try #require(slice["ts"] as? Double)
      let time = try #require(event["ts"] as? Double)
      #expect(time >= begin)
      #expect(time <= begin + (slice["dur"] as? Double ?? 0))
      if phase == "f" { #expect(event["bp"] as? String == "e") }
    }
  }

  @Test func `slices nest within their thread`() throws {
    let slices = try events(Self.script).filter { $0["ph"] as? String == "X" }
    for (index, one) in slices.enumerated() {
      for other in slices[(index + 1)...] where one["tid"] as? Int == other["tid"] as? Int {
        let (from, to) = try interval(one)
        let (begin, end) = try interval(other)
        #expect(to <= begin || end <= from || (from <= begin && end <= to))
      }
    }
    #expect(Set(slices.compactMap { $0["name"] as? String }).isSuperset(of: ["a", "b", "c"]))
  }

  @Test func `times keep their nanoseconds`() {
    let span = Span(id: 1)
    let events: [TraceEvent] = [
      .submitted(span, in: .none, label: "a", kind: "sleep", at: Instant(nanoseconds: 1)),
      .started(span, at: Instant(nanoseconds: 1_234_568)),
      .finished(span, .success, at: Instant(nanoseconds: 9_007_199_254_740_993)),
    ]
    let json = ChromeTrace.json(
      RunRecord(events: events, clock: .live, outcome: .success), events: events)
    #expect(json.contains(#""ts":1234.567,"#))
    #expect(json.contains(#""dur":9007199253506.425,"#))
  }

  @Test func `counters and names are exported`() throws {
    let events = try events(Self.script)
    let counter = try #require(events.first { $0["ph"] as? String == "C" })
    #expect((counter["args"] as? [String: Any])?["value"] as? Double == 2.5)
    let names = events.filter { $0["name"] as? String == "process_name" }
    #expect((names.first?["args"] as? [String: Any])?["name"] as? String == "漢字 ")
    #expect(events.contains { $0["name"] as? String == "completed-twice" })
    #expect(events.contains { $0["name"] as? String == "a \"quoted\" name" })
  }

  @Test func `several runs are several processes`() throws {
    let record = Self.script.record()
    let run = SavedRun(
      name: record.name, source: "", composition: "", record: record, events: Self.script.events)
    let json = ChromeTrace.json([run, run])
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let events = try #require(root["traceEvents"] as? [[String: Any]])
    #expect(Set(events.compactMap { $0["pid"] as? Int }) == [1, 2])
    let arrows = events.filter { $0["ph"] as? String == "s" }.compactMap { $0["id"] as? Int }
    #expect(Set(arrows).count == 4)
    // Perfetto treats equal thread numbers as one thread, whatever their process.
    let threads = [1, 2].map { process in
      Set(events.filter { $0["pid"] as? Int == process }.compactMap { $0["tid"] as? Int })
    }
    #expect(threads[0].isDisjoint(with: threads[1]))
  }

  private func interval(_ slice: [String: Any]) throws -> (Double, Double) {
    let begin = try #require(slice["ts"] as? Double)
    return (begin, begin + (try #require(slice["dur"] as? Double)))
  }
}
