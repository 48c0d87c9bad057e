import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// If a rule finds the same fault in steps that differ only by a number, it reports one finding.
@Suite struct LintFamilyTests {
  private static func blocking(_ labels: [String], kind: String = "block") -> EventScript {
    var script = EventScript("root", "group", steps: [])
    // The steps run one after another, since so many steps at the same time would be another finding.
    for (index, label) in labels.enumerated() {
      let time = Int64(10 * index)
      script.submit(label, kind, in: "root", at: time)
      script.start(label, at: time)
      script.block(label, at: time)
      script.unblock(label, at: time + 10)
      script.finish(label, at: time + 10)
    }
    script.finish("root", at: Int64(10 * labels.count))
    return script
  }

  @Test func `a family is one finding`() throws {
    let labels = (1...1000).map { "page-\($0)" }
    let lints = Self.blocking(labels + ["other"]).record().lints
    #expect(lints.map(\.rule) == ["blocked-thread", "blocked-thread"])
    #expect(lints.map(\.step) == ["page-1", "other"])
    #expect(lints.map(\.count) == [1000, 1])
    #expect(lints[0].steps == labels && lints[1].steps == ["other"])
    #expect(lints[0].message.contains("“page-1” blocked a thread for 10ms"))
    #expect(lints[0].place == "page-1, page-2, page-3 and 997 more")
    #expect(lints[1].place == "other")
  }

  @Test func `a thread that was blocked for no time is not a finding`() {
    var script = EventScript("root", "serial.semaphore", steps: ["a"])
    script.block("root", at: 0)
    script.start("a", at: 0)
    script.finish("a", at: 0)
    script.unblock("root", at: 0)
    script.finish("root", at: 0)
    #expect(script.record().lints.isEmpty)
  }

  @Test func `copies of a pattern are a family`() {
    var script = EventScript("root", "group", steps: [])
    for queue in ["q-1", "q-2"] {
      script.submit(queue, "serial", in: "root", at: 0)
      script.start(queue, at: 0)
      script.submit(queue + "a", "never", in: queue, label: "a", at: 0)
      script.start(queue + "a", at: 0)
    }
    let lints = script.record(outcome: .unfinished, end: 5).lints
    #expect(lints.filter { $0.rule == "never-completed" }.map(\.steps) == [["q-1/a", "q-2/a"]])
  }

  @Test func `steps of another kind are not in the family`() {
    var script = Self.blocking(["a-1"])
    script.submit("a-2", "serial", in: "root", at: 10)
    script.misuse("blocked-thread", "a-2", at: 10)
    #expect(script.record().lints.map(\.steps) == [["a-2"], ["a-1"]])
  }

  /// A thread that stays blocked to the end is reported apart from threads that were unblocked.
  @Test func `a thread blocked to the end is a separate finding`() {
    var script = Self.blocking(["a-1"])
    script.submit("a-2", "block", in: "root", at: 0)
    script.start("a-2", at: 0)
    script.block("a-2", at: 0)
    let lints = script.record(outcome: .unfinished, end: 50).lints
    #expect(lints.filter { $0.rule == "blocked-thread" }.map(\.step) == ["a-1", "a-2"])
  }

  @Test func `starts of one step are counted`() {
    var script = EventScript("root", "retry", steps: [])
    for number in 1...3 {
      script.submit("\(number)", in: "root", label: "call", at: 0)
      script.misuse("completed-twice", "\(number)", at: 1)
    }
    let lint = script.record().lints.first
    #expect(lint?.count == 3 && lint?.steps == ["call"])
    #expect(lint?.place == "call, 3 times")
  }

  @Test func `the record has the count and the steps`() throws {
    let record = Self.blocking(["a-1", "a-2", "b"]).record()
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(record.json.utf8)) as? [String: Any])
    let lints = try #require(json["lints"] as? [[String: Any]])
    #expect(lints.map { $0["count"] as? Int } == [2, 1])
    #expect(lints.map { $0["steps"] as? [String] } == [["a-1", "a-2"], nil])
  }

  @Test func `a part of a run has its own findings`() throws {
    let record = Self.blocking(["a-1", "a-2", "a-3"]).record()
    let part = try #require(record.opened(at: "a-2").first?.lints.first)
    #expect(part.step == "a-2" && part.count == 1 && part.steps == ["a-2"])
    #expect(part.message.hasPrefix("as in a-1: "))
    #expect(Comparison.Cost("x", record).findings.map(\.count) == [3])
  }
}
