import Testing
import TimingTrace

@Suite struct AnalysisTests {
  /// `serial { a: sleep 10ms; b: sleep 20ms }`
  static let serial = EventScript("serial: serial { a: 5..15; b: 15..35 after a }")

  @Test func `serial steps follow one another`() {
    let record = Self.serial.record()
    #expect(record.name == "run")
    #expect(record.pattern == "serial")
    #expect(record.makespan == .ms(30))
    #expect(record.maxConcurrency == 1)
    #expect(record.threads == 1)
    #expect(record.criticalPath == ["a", "b"])
    #expect(record.edges == [EdgeRecord(from: "a", to: "b", kind: .dependency)])
    #expect(record.lints.isEmpty)
    #expect(record.steps.map(\.path) == ["a", "b"])
    let b = record.steps[1]
    #expect(b.submitted == 0)
    #expect(b.started == .ms(10))
    #expect(b.finished == .ms(30))
    #expect(b.lane == "pool-1")
    #expect(b.outcome == .success)
    #expect(b.parent == nil)
  }

  @Test func `concurrent steps overlap, and the longest is critical`() {
    let record = EventScript("group: group { a: 0..10; b: 0..30; c: 0..20 }").record()
    #expect(record.maxConcurrency == 3)
    #expect(record.criticalPath == ["b"])
    #expect(record.finishedInOrder(["a", "c", "b"]))
    #expect(!record.finishedInOrder(["a", "b", "c"]))
  }

  /// `graph { a: sleep 10ms; b: sleep 20ms; c: serial job after a }`, where job is a list of two steps.
  static let nested = EventScript(
    """
    root: graph {
      a: 0..10; b: 0..20
      c: serial after a { job/fetch: 10..25; job/store: 25..40 after fetch }
    }
    """)

  @Test func `nested steps have paths, and the critical path enters patterns`() {
    let record = Self.nested.record()
    #expect(record.steps.map(\.path) == ["a", "b", "c", "c/job/fetch", "c/job/store"])
    #expect(record.steps.map(\.parent) == [nil, nil, nil, 2, 2])
    #expect(record.steps.map(\.isLeaf) == [true, true, false, true, true])
    #expect(record.criticalPath == ["a", "fetch", "store"])
    #expect(record.steps.filter(\.isCritical).map(\.label) == ["a", "fetch", "store"])
    // A step that ends at an instant makes room for a step that starts at the same instant.
    #expect(record.maxConcurrency == 2)
  }

  @Test(arguments: [
    ("fetch", true), ("job/fetch", true), ("c/fetch", true), ("c/job/fetch", true),
    ("store", false), ("fetch/job", false), ("job", false), ("x/fetch", false), ("etch", false),
    ("", false), ("/", false), ("c/job/fetch/", false), ("a/c/job/fetch", false),
  ])
  func `a label or a path matches a step`(path: String, isMeant: Bool) throws {
    let step = try #require(Self.nested.record().steps.first { $0.label == "fetch" })
    #expect(step.matches(path: path) == isMeant)
  }

  @Test func `steps that take no time do not overlap`() {
    var script = EventScript()
    script.submit("root", "serial", at: 0)
    script.start("root", at: 0)
    for number in 1...100 { script.submit("v-\(number)", "value", in: "root", at: 0) }
    for number in 1...100 {
      script.start("v-\(number)", at: 0)
      script.finish("v-\(number)", at: 0)
    }
    script.finish("root", at: 0)
    #expect(script.record().maxConcurrency == 1)
  }

  @Test func `a run without events has a record`() {
    let record = RunRecord(events: [], clock: .live, result: nil)
    #expect(record.steps.isEmpty)
    #expect(record.makespan == 0)
    #expect(record.outcome == .unfinished)
  }

  @Test func `a record describes the error of its run`() {
    let error = StepFailure("no network")
    let failed = RunRecord(
      name: "upload", pattern: "http", clock: .live, outcome: .failure, error: error)
    let empty = RunRecord(events: [], clock: .live, outcome: .failure, error: error)
    for record in [failed, empty] { #expect(record.error == "\(error)") }
    let cancelled = RunRecord(events: [], clock: .live, result: .failure(CancellationError()))
    #expect(cancelled.error == nil)
  }

  @Test func `any number and depth of spans is analysed`() {
    var events: [TraceEvent] = []
    for depth in 0..<20_000 {
      events.append(
        .submitted(
          Span(id: .max - UInt32(depth)),
          in: depth == 0 ? .none : Span(id: .max - UInt32(depth) + 1),
          label: "x", kind: "serial", at: .zero))
      events.append(.started(Span(id: .max - UInt32(depth)), at: .zero))
    }
    #expect(RunRecord(events: events, clock: .virtual, result: nil).steps.count == 19_999)
    #expect(RunRecord(events: events.reversed(), clock: .virtual, result: nil).steps.count > 1)
  }
}
