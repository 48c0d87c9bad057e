import Testing
import TimingTrace

/// Tasks are spans that hold no lane while they are suspended, and may run on an actor.
@Suite struct TaskTests {
  private static let program = Span(id: 1)
  private static let cache = Span(id: 2)
  private static let main = Span(id: 3)
  private static let load = Span(id: 4)
  private static let store = Span(id: 5)

  /// `main` awaits `load` and `store`, which both run on an actor. `load` sleeps from 10 to 30 ms. During that time,
  /// `store` can use the actor.
  private static let run: SavedRun = {
    var events: [TraceEvent] = []
    func add(_ lane: UInt32, _ event: TraceEvent) {
      var event = event
      event.lane = Lane(number: lane)
      events.append(event)
    }
    func ms(_ time: Int64) -> Instant { Instant(nanoseconds: time * 1_000_000) }
    func submit(_ span: Span, _ label: String, in parent: Span, role: TraceEvent.Role = .plain) {
      add(
        0,
        .submitted(
          span, in: parent, label: label,
          kind: role == .place ? "actor" : span == program ? "program" : "task",
          role: role == .plain && span != program ? .task : role,
          at: ms(0)))
    }
    submit(program, "program", in: .none)
    submit(cache, "Cache", in: program, role: .place)
    submit(main, "main", in: program)
    submit(load, "load", in: main)
    submit(store, "store", in: main)
    add(0, .started(program, because: .outside, at: ms(0)))
    add(0, .started(main, because: Cause(.parent, program), at: ms(0)))
    add(1, .started(load, because: Cause(.parent, main), on: cache, at: ms(0)))
    add(0, .suspended(main, at: ms(0)))
    add(1, .suspended(load, at: ms(10)))
    add(
      1,
      .started(
        store, because: Cause(.parent, main), ready: ms(0), behind: load, on: cache, at: ms(10)))
    add(1, .finished(store, .success, at: ms(16)))
    add(2, .resumed(load, byTimerSet: ms(10), because: .itself, on: cache, at: ms(30)))
    add(2, .finished(load, .success, at: ms(35)))
    add(0, .resumed(main, because: Cause(.end, load), at: ms(35)))
    add(0, .finished(main, .success, awaitsAll: true, at: ms(40)))
    add(0, .finished(program, .success, because: Cause(.end, main), awaitsAll: true, at: ms(40)))
    let record = RunRecord(events: events, name: "program", clock: .virtual, outcome: .success)
    return SavedRun(name: "program", source: "", composition: "", record: record, events: events)
  }()

  /// `main` waits for a timer until 30 ms, and then for `long` until 80 ms. It ran late, behind another task.
  @Test func `slack spreads through the waits of a task for its thread`() throws {
    var events: [TraceEvent] = []
    func ms(_ time: Int64) -> Instant { Instant(nanoseconds: time * 1_000_000) }
    let (program, main) = (Span(id: 1), Span(id: 2))
    let (timer, long, other) = (Span(id: 3), Span(id: 4), Span(id: 5))
    events.append(.submitted(program, in: .none, label: "program", kind: "program", at: ms(0)))
    for (span, label) in [(main, "main"), (timer, "timer"), (long, "long"), (other, "other")] {
      events.append(
        .submitted(span, in: program, label: label, kind: "task", role: .task, at: ms(0)))
    }
    for span in [program, main, timer, long, other] { events.append(.started(span, at: ms(0))) }
    events.append(.suspended(main, for: "“timer”", at: ms(0)))
    events.append(.finished(timer, .success, at: ms(30)))
    events.append(.resumed(main, because: Cause(.end, timer), at: ms(30)))
    events.append(.suspended(main, for: "“long”", at: ms(30)))
    events.append(.finished(long, .success, at: ms(80)))
    events.append(.finished(other, .success, at: ms(81)))
    events.append(
      .resumed(
        main, behind: other, due: ms(80), set: ms(80), because: Cause(.end, long), at: ms(81)))
    events.append(.finished(main, .success, at: ms(180)))
    events.append(.finished(program, .success, because: Cause(.end, main), at: ms(180)))
    let record = RunRecord(events: events, name: "program", clock: .live, outcome: .success)
    let analysis = Analysis(of: record, events: events)
    let slack = Dictionary(
      uniqueKeysWithValues: zip(record.steps.map(\.label), analysis.slack))
    #expect(slack["timer"] == 51_000_000)
    #expect(slack["long"] == 1_000_000)
    #expect(slack["other"] == .some(nil), "no task was suspended until its end")
  }

  @Test func `the last part of a run starts in the state of that time`() {
    let record = Self.run.lastPart(.milliseconds(20)).record
    #expect(record.makespan == 20_000_000)
    let tasks = record.steps.filter { $0.label != "Cache" }
    #expect(tasks.map(\.label) == ["main", "load"])
    #expect(tasks.map(\.finished) == [20_000_000, 15_000_000])
    #expect(
      record.intervals.filter { $0.kind == .suspended }.map { "\($0.step) \($0.from)-\($0.to)" }
        == ["main 0-15000000", "main/load 0-10000000"])
  }

  @Test func `a wait that had ended is not in the last part`() {
    let record = Self.run.lastPart(.milliseconds(7)).record
    #expect(record.steps.map(\.label) == ["Cache", "main", "load"])
    #expect(record.intervals.filter { $0.kind == .suspended }.map(\.step) == ["main"])
  }

  @Test func `the last part shows that no code refers to a task`() {
    var program = TaskLintTests.Program()
    program.submit("made")
    let made = program["made"]
    program.add(.started(made, at: .zero))
    program.add(.suspended(made, for: "its sleep", at: .zero))
    var resumption = TraceEvent.resumed(made, because: .itself, at: program.ms(1))
    resumption.role = .unreferenced
    program.add(resumption)
    program.add(.finished(made, .failure, reason: "NoNetwork", at: program.ms(9)))
    program.add(.finished(program["program"], .success, at: program.ms(9)))
    let run = SavedRun(
      name: "program", source: "", composition: "program",
      record: RunRecord(events: program.events, name: "program", clock: .live, outcome: .success),
      events: program.events)
    for part in [run, run.lastPart(.milliseconds(5))] {
      #expect(part.record.lints.map(\.rule) == ["unhandled-failure"])
    }
  }

  @Test func `the last part is the whole run if it would be longer`() {
    #expect(Self.run.lastPart(.seconds(1)).record == Self.run.record)
  }

  @Test func `the timeline shows when a task was suspended`() {
    let record = Self.run.record
    #expect(
      record.intervals.filter { $0.kind == .suspended }.map { "\($0.step) \($0.from)-\($0.to)" }
        == ["main 0-35000000", "main/load 10000000-30000000"])
    let picture = Timeline(record).render(width: 60)
    #expect(
      picture.contains("*   load        │██████████░░░░░░░░░░░░░░░░░██████    │ 35ms"), "\(picture)"
    )
    #expect(picture.contains("  queue of Cache│⠉"), "\(picture)")
  }

  @Test func `the lanes view has a row for the actor`() throws {
    let lanes = LaneTimeline(Self.run).lanes
    func stretches(_ lane: String) -> [String] {
      lanes.first { $0.use.lane == lane }?.stretches.map {
        "\($0.step) \($0.from / 1_000_000)-\($0.to / 1_000_000)"
      } ?? []
    }
    #expect(stretches("Cache") == ["main/load 0-10", "main/store 10-16", "main/load 30-35"])
    #expect(stretches("pool-1") == ["main/load 0-10", "main/store 10-16"])
    #expect(stretches("pool-2") == ["main/load 30-35"])
    #expect(stretches("main") == ["main 0-0", "main 35-40"])
  }

  @Test func `the critical path leads through suspensions`() throws {
    let analysis = Analysis(of: Self.run)
    #expect(
      analysis.criticalPath.map { "\($0.path) \($0.time / 1_000_000)" } == [
        "main/load 35", "main 5",
      ])
    #expect(analysis.criticalPath.last?.handOver?.kind == .dependency)
    let store = try #require(StepAccount.accounts(of: "store", in: Self.run).first)
    #expect(store.waits.map(\.kind) == [.queue] && store.waits.first?.from == "main/load")
    #expect(store.waits.first?.until == 10_000_000 && store.slack == 19_000_000)
  }

  /// The record also has a counter for the tasks that waited for the actor, which no event recorded.
  @Test func `a run with waits for an actor is exported`() {
    var run = Self.run
    let value = TraceEvent.counter(
      "depth", 2.5, of: Self.store, at: Instant(nanoseconds: 40_000_000))
    run.events.insert(value, at: run.events.endIndex)
    run.record.derive(from: TraceEvents(run.events))
    #expect(run.record.counters.map(\.name) == ["depth", "queue of Cache"])
    let trace = ChromeTrace.json([run])
    #expect(trace.contains(#""name":"depth""#) && trace.contains(#""value":2.5"#), "\(trace)")
  }

  /// A task with parts sleeps, then code outside the run resumes it.
  @Test func `the wait for code outside all tasks belongs to the waiting task`() throws {
    var script = EventScript()
    script.submit("main", "program", at: 0)
    script.start("main", at: 0)
    script.submit("slow", role: .task, in: "main", at: 0)
    script.start("slow", because: (.parent, "main"), at: 0)
    script.submit("child", role: .task, in: "slow", by: "slow", at: 0)
    script.start("child", because: (.parent, "slow"), at: 0)
    script.finish("child", at: 5)
    script.suspend("slow", at: 10)
    script.resume("slow", byTimerSet: 10, at: 110)
    script.suspend("slow", at: 110)
    script.resume("slow", because: (.wakeUp, "outside"), at: 200)
    script.finish("slow", because: (.itself, ""), at: 200)
    script.finish("main", because: (.end, "slow"), at: 200)
    let analysis = Analysis(of: script.record(), events: script.events)
    #expect(analysis.criticalPath.map { "\($0.path) \($0.time / 1_000_000)" } == ["slow 200"])
    #expect(analysis.slack == [0, .ms(195)])
  }

  /// The code of a step does not record when its waits begin.
  @Test func `a step waits for the tasks whose ends resume it`() throws {
    var script = EventScript()
    script.submit("step", "swift", at: 0)
    script.start("step", at: 0)
    for (key, start, end) in [("slow", 0, 200), ("fast", 200, 210)] as [(String, Int64, Int64)] {
      script.submit(key, role: .task, by: "step", at: start)
      script.start(key, because: (.parent, "step"), at: start)
      script.finish(key, at: end)
      script.resume("step", because: (.end, key), at: end)
    }
    script.finish("step", because: (.itself, ""), at: 300)
    let analysis = Analysis(of: script.record(), events: script.events)
    #expect(
      analysis.criticalPath.map { "\($0.path) \($0.time / 1_000_000)" } == [
        "step 0", "slow 200", "fast 10", "step 90",
      ])
    #expect(analysis.slack == [0, 0, 0])
  }
}
