import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// What a record, a file and a Chrome trace keep of counters.
@Suite struct CounterTests {
  /// One property that two of three steps animate.
  static let fade = {
    var script = EventScript("serial", "serial", steps: ["fadeIn", "pause", "fadeOut"], at: 5)
    script.start("fadeIn", at: 5)
    for frame in 0...30 {
      script.counter("opacity", Double(frame) / 30, of: "fadeIn", at: 5 + Int64(frame) * 10)
    }
    script.finish("fadeIn", at: 305)
    script.start("pause", after: "fadeIn", at: 305)
    script.finish("pause", at: 1005)
    script.start("fadeOut", after: "pause", at: 1005)
    for frame in 0...20 {
      script.counter("opacity", 1 - Double(frame) / 20, of: "fadeOut", at: 1005 + Int64(frame) * 10)
    }
    script.finish("fadeOut", at: 1205)
    script.finish("serial", at: 1205)
    return script
  }()

  /// One property of two objects that are animated at the same time.
  static let sideBySide = {
    var script = EventScript("group", "group", steps: ["a", "b"])
    for label in ["a", "b"] { script.start(label, at: 0) }
    for time in stride(from: Int64(0), through: 100, by: 10) {
      script.counter("opacity", Double(time) / 100, of: "a", at: time)
      script.counter("opacity", 1 - Double(time) / 100, of: "b", at: time)
    }
    for label in ["a", "b"] { script.finish(label, at: 100) }
    script.finish("group", at: 100)
    return script
  }()

  @Test func `a record keeps the counters of each step`() throws {
    let record = Self.fade.record()
    #expect(record.counters.map(\.name) == ["opacity", "opacity"])
    #expect(record.counters.map(\.step) == ["fadeIn", "fadeOut"])
    #expect(record.counters.map(\.points.count) == [31, 21])
    #expect(record.counters[0].points[3] == .init(time: .ms(30), value: 0.1))
    #expect(record.counters[1].points.last == .init(time: .ms(1200), value: 0))
  }

  @Test func `successive steps share a line, and concurrent steps have one each`() {
    let inTurn = CounterLine.lines(of: Self.fade.record().counters)
    #expect(inTurn.map(\.title) == ["opacity"])
    #expect(inTurn[0].points.count == 52)
    let atOnce = CounterLine.lines(of: Self.sideBySide.record().counters)
    #expect(atOnce.map(\.title) == ["opacity of a", "opacity of b"])
  }

  @Test func `values that are not finite are left out`() {
    var script = Self.sideBySide
    script.counter("wild", .nan, of: "a", at: 50)
    script.counter("wild", .infinity, of: "a", at: 60)
    script.counter("tame", 1, of: "a", at: 70)
    script.counter("tame", -.infinity, of: "a", at: 80)
    let record = script.record()
    #expect(record.counters.map(\.name) == ["opacity", "opacity", "tame"])
    #expect(record.counters[2].points == [.init(time: .ms(70), value: 1)])
  }

  @Test func `the record contains counters as documented`() {
    var script = EventScript()
    script.submit("fade", at: 5)
    script.start("fade", at: 5)
    script.counter("opacity", 0, of: "fade", at: 5)
    script.counter("opacity", 0.25, of: "fade", at: 7)
    script.finish("fade", at: 10)
    #expect(
      script.record().json.contains(
        #""counters":[{"name":"opacity","step":"fade","points":[{"at_ns":0,"value":0},"#
          + #"{"at_ns":2000000,"value":0.25}]}]"#))
  }

  @Test func `Chrome's format has a track for each curve`() throws {
    func counters(_ script: EventScript) throws -> [String: [Double]] {
      let json = ChromeTrace.json(script.record(), events: script.events)
      let root = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      let events = try #require(root?["traceEvents"] as? [[String: Any]])
      var result: [String: [Double]] = [:]
      for event in events where event["ph"] as? String == "C" {
        let value = (event["args"] as? [String: Any])?["value"] as? Double
        result[event["name"] as? String ?? "", default: []].append(try #require(value))
      }
      return result
    }
    let fade = try counters(Self.fade)
    #expect(fade.keys.sorted() == ["opacity"])
    #expect(fade["opacity"]?.count == 52)
    let two = try counters(Self.sideBySide)
    #expect(two.keys.sorted() == ["opacity of a", "opacity of b"])
    #expect(two["opacity of b"]?.first == 1 && two["opacity of b"]?.last == 0)
  }
}
