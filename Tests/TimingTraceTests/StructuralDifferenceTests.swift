import Testing
import TimingTrace

@Suite struct StructuralDifferenceTests {
  private let original = AnalysisTests.nested.record()

  @Test func `equal runs do not differ`() {
    #expect(StructuralDifference.first(between: original, and: original) == nil)
  }

  struct Change: Sendable {
    let kind: String
    let text: String
    let make: @Sendable (inout RunRecord) -> Void

    init(_ kind: String, _ text: String, _ make: @escaping @Sendable (inout RunRecord) -> Void) {
      (self.kind, self.text, self.make) = (kind, text, make)
    }
  }

  static let changes = [
    Change("time", "“c/job/fetch” finished at 25ms in the first run") {
      $0.steps[3].finished? += 7
    },
    Change("lane", "“b” ran on pool-1") { $0.steps[1].lane = "pool-2" },
    Change("outcome", "“b” ended as success") { $0.steps[1].outcome = .failure },
    Change("order", "“b” started at 0ns") { $0.steps[1].started = nil },
    Change("order", "“c/job/store” was submitted at 10ms") { $0.steps.removeLast() },
    Change("edge", "“fetch” let “store” continue (dependency)") { $0.edges.removeLast() },
    Change("total", "the work is 0ns in the first run, 5ns in the second") { $0.work = 5 },
    Change("outcome", "the run ended as success") { $0.outcome = .failure },
  ]

  @Test(arguments: changes)
  func `the first difference is named`(change: Change) throws {
    var changed = original
    change.make(&changed)
    let difference = try #require(StructuralDifference.first(between: original, and: changed))
    #expect(difference.kind.rawValue == change.kind)
    #expect("\(difference)".contains(change.text), "\(difference)")
  }

  /// What the run's own step did has the name of its pattern.
  @Test func `the name of the pattern is no difference`() throws {
    func script(_ pattern: String, value: Double = 1) -> EventScript {
      var script = EventScript(pattern, pattern, steps: ["a"])
      script.start("a", at: 0)
      script.counter("count", value, of: pattern, at: 1)
      script.finish("a", .failure, error: "no", at: 5)
      script.finish(
        pattern, .failure, because: (.end, "a"), error: "no", awaitsAll: false, at: 5)
      return script
    }
    let serial = script("serial").record(outcome: .failure)
    #expect(serial.edges == [EdgeRecord(from: "a", to: "serial", kind: .resolvedBy)])
    #expect(serial.counters.map(\.step) == ["serial"])
    var promise = script("promise").record(outcome: .failure)
    #expect(StructuralDifference.first(between: serial, and: promise) == nil)
    promise = script("promise", value: 2).record(outcome: .failure)
    let counter = try #require(StructuralDifference.first(between: serial, and: promise))
    #expect(
      "\(counter)" == "“serial” recorded “count” as 1.0 in the first run, as 2.0 in the second")
    promise.edges.removeAll()
    let edge = try #require(StructuralDifference.first(between: serial, and: promise))
    #expect(edge.first == "“a” let “serial” continue (resolved by it)")
  }

  @Test func `a step that has not started has no lane`() throws {
    var changed = original
    changed.steps.removeLast()
    let submitted = try #require(StructuralDifference.first(between: original, and: changed))
    #expect(submitted.place == "at 10ms, “c/job/store”")
    changed = original
    changed.steps[1].started = nil
    let started = try #require(StructuralDifference.first(between: original, and: changed))
    #expect(started.place == "at 0ns, “b” on pool-1")
  }

  static let curves = [
    Change("counter", "“fadeIn” recorded “opacity” as 0.1 in the first run, as 0.2 in the second") {
      $0.counters[0].points[3].value = 0.2
    },
    Change(
      "counter",
      "“fadeOut” recorded “opacity” as 0.0 at 1.2s in the first run, no more in the second"
    ) {
      $0.counters[1].points.removeLast()
    },
    Change("counter", "“fadeOut” recorded “opacity” in the first run, no further counter in") {
      $0.counters.removeLast()
    },
  ]

  @Test(arguments: curves)
  func `a curve that differs is named`(change: Change) throws {
    let fade = CounterTests.fade.record()
    var changed = fade
    change.make(&changed)
    #expect(StructuralDifference.first(between: fade, and: fade) == nil)
    let difference = try #require(StructuralDifference.first(between: fade, and: changed))
    #expect(difference.kind.rawValue == change.kind)
    #expect("\(difference)".contains(change.text), "\(difference)")
  }

  @Test func `the order within an instant counts`() throws {
    var script = EventScript()
    var other = EventScript()
    for key in ["root", "a", "b"] {
      script.submit(key, in: key == "root" ? nil : "root", at: 0)
      other.submit(key, in: key == "root" ? nil : "root", at: 0)
      script.start(key, at: 0)
      other.start(key, at: 0)
    }
    for key in ["a", "b"] { script.finish(key, at: 5) }
    for key in ["b", "a"] { other.finish(key, at: 5) }
    let difference = try #require(
      StructuralDifference.first(between: script.record(), and: other.record()))
    #expect(difference.kind == .order)
    #expect(difference.path == "a")
  }
}
