import Testing
import TimingTrace

/// Each rule about tasks finds its fault, and reports nothing for code that is similar but correct.
@Suite struct TaskLintTests {
  /// The events of a program, written by hand; times are in milliseconds.
  struct Program {
    private(set) var events: [TraceEvent] = []
    private var spans: [String: Span] = [:]

    init() {
      submit("program", in: nil, kind: "program")
      add(.started(self["program"], because: .outside, at: .zero))
    }

    subscript(label: String) -> Span { spans[label] ?? .none }

    mutating func add(_ event: TraceEvent, lane: UInt32 = 1) {
      var event = event
      event.lane = Lane(number: lane)
      events.append(event)
    }

    mutating func submit(
      _ label: String, in parent: String? = "program", by maker: String? = nil,
      kind: String = "task", at time: Int64 = 0
    ) {
      let span = Span(id: UInt32(spans.count + 1))
      spans[label] = span
      add(
        .submitted(
          span, in: parent.map { self[$0] } ?? .none, label: label, kind: kind,
          role: kind == "actor" ? .place : kind == "task" ? .task : .plain,
          by: maker.map { self[$0] } ?? .none, at: ms(time)
        ))
    }

    /// The task runs and ends. It runs on an actor or executor if one is named.
    mutating func run(
      _ label: String, on place: String = "", lane: UInt32 = 1, from: Int64, to: Int64
    ) {
      add(.started(self[label], on: self[place], at: ms(from)), lane: lane)
      // The events must be in the order of their times.
      ends.append((label, lane, to))
    }

    /// The task was ready at 0, and waited until `holder` released its place.
    mutating func run(
      _ label: String, behind holder: String, on place: String = "", from: Int64, to: Int64
    ) {
      end(until: from)
      add(
        .started(
          self[label], because: .itself, ready: .zero, behind: self[holder], on: self[place],
          at: ms(from)))
      ends.append((label, 1, to))
    }

    private var ends: [(label: String, lane: UInt32, time: Int64)] = []

    private mutating func end(until time: Int64) {
      for end in ends where end.time <= time {
        add(.finished(self[end.label], .success, at: ms(end.time)), lane: end.lane)
      }
      ends.removeAll { $0.time <= time }
    }

    func ms(_ time: Int64) -> Instant { Instant(nanoseconds: time * 1_000_000) }

    mutating func rules() -> Set<String> {
      end(until: .max)
      let last = events.map(\.time).max() ?? .zero
      add(.finished(self["program"], .success, awaitsAll: false, at: last))
      let record = RunRecord(events: events, name: "program", clock: .live, outcome: .success)
      return Set(record.lints.map(\.rule))
    }
  }

  @Test(arguments: [true, false])
  func `held-thread`(isFault: Bool) {
    var program = Program()
    program.submit("heavy")
    program.submit("light")
    program.run("heavy", from: 0, to: 30)
    if isFault {
      program.run("light", behind: "heavy", from: 30, to: 31)
    } else {
      program.run("light", lane: 2, from: 0, to: 1)
    }
    #expect(program.rules() == (isFault ? ["held-thread"] : []))
  }

  /// A long run is only a fault if another task waited for it, and not for another run of the same task.
  @Test func `held-thread needs a wait for the long run`() {
    var program = Program()
    program.submit("heavy")
    program.submit("light")
    let heavy = program["heavy"]
    program.add(.started(heavy, at: .zero))
    program.add(.suspended(heavy, for: "its sleep", at: program.ms(4)))
    program.run("light", behind: "heavy", from: 4, to: 5)
    program.add(.finished(program["light"], .success, at: program.ms(5)))
    program.add(.resumed(heavy, byTimerSet: program.ms(4), because: .itself, at: program.ms(10)))
    program.add(.finished(heavy, .success, at: program.ms(40)))
    #expect(!program.rules().contains("held-thread"))
  }

  @Test func `held-main-actor names the longest time`() throws {
    var program = Program()
    program.submit("main actor", in: nil, kind: "actor")
    program.submit("drawing")
    let (drawing, main) = (program["drawing"], program["main actor"])
    program.add(.started(drawing, on: main, at: .zero))
    program.add(.suspended(drawing, for: "its sleep", at: program.ms(18)))
    program.add(
      .resumed(drawing, byTimerSet: program.ms(18), because: .itself, on: main, at: program.ms(20)))
    program.add(.finished(drawing, .success, at: program.ms(320)))
    let record = RunRecord(
      events: program.events, name: "program", clock: .live, outcome: .success)
    let finding = try #require(record.lints.first { $0.rule == "held-main-actor" })
    #expect(finding.message.contains("for 300ms"), "\(finding)")
  }

  @Test(arguments: [true, false])
  func `late-cancel of a task`(isFault: Bool) {
    var program = Program()
    program.submit("maker")
    program.submit("stubborn")
    program.add(.started(program["stubborn"], at: .zero))
    let end = program.ms(isFault ? 40 : 11)
    program.add(
      .finished(
        program["stubborn"], .success,
        cancelled: (by: Cause(.cancellation, program["maker"]), at: program.ms(10)), at: end))
    #expect(program.rules() == (isFault ? ["late-cancel"] : []))
  }

  /// A task that waits when its program ends was not needed any more.
  @Test(arguments: ["“maker”", "main actor", "its task group", "the next element of a stream"])
  func `a wait at the end of a program is no finding`(dependency: String) {
    var program = Program()
    program.submit("waiter")
    program.add(.started(program["waiter"], at: .zero))
    program.add(.suspended(program["waiter"], for: dependency, at: program.ms(1)))
    #expect(program.rules() == [])
  }

  @Test(arguments: [true, false])
  func `held-main-actor`(isFault: Bool) {
    var program = Program()
    program.submit("main actor", in: nil, kind: "actor")
    program.submit("drawing")
    program.run("drawing", on: "main actor", from: 0, to: isFault ? 20 : 10)
    #expect(program.rules() == (isFault ? ["held-main-actor"] : []))
  }

  @Test(arguments: [true, false])
  func `actor-contention`(isFault: Bool) {
    var program = Program()
    program.submit("Store", in: nil, kind: "actor")
    for label in ["first", "second"] { program.submit(label) }
    program.run("first", on: "Store", from: 0, to: isFault ? 10 : 1)
    program.run(
      "second", behind: "first", on: "Store", from: isFault ? 10 : 1, to: isFault ? 20 : 40)
    #expect(program.rules() == (isFault ? ["actor-contention"] : []))
  }

  @Test(arguments: [true, false])
  func `priority-inversion`(isFault: Bool) {
    var program = Program()
    for label in ["unimportant", "important"] { program.submit(label) }
    let role: TraceEvent.Role = isFault ? .lowPriority : .highPriority
    program.add(
      .mark("priority", "unimportant", role: role, of: program["program"], at: .zero))
    program.run("unimportant", from: 0, to: 5)
    program.run("important", behind: "unimportant", from: 5, to: 6)
    #expect(program.rules() == (isFault ? ["priority-inversion"] : []))
  }

  @Test(arguments: [true, false])
  func `never-resumed`(isFault: Bool) {
    var program = Program()
    program.submit("waiter")
    program.add(.started(program["waiter"], at: .zero))
    let dependency = isFault ? "a continuation" : "its sleep"
    program.add(.suspended(program["waiter"], for: dependency, at: program.ms(1)))
    #expect(program.rules() == (isFault ? ["never-resumed"] : []))
  }

  /// The task `made` fails 8 ms after the task that made it.
  ///
  /// - Parameter isReferenced: whether code still refers to it when it resumes.
  private static func rules(
    isReferenced: Bool, isChild: Bool = false, isCancelled: Bool = false
  ) -> Set<String> {
    var program = Program()
    program.submit("maker")
    program.submit("made", in: isChild ? "maker" : "program", by: "maker")
    let made = program["made"]
    program.add(.started(program["maker"], at: .zero))
    program.add(.started(made, at: .zero), lane: 2)
    program.add(.suspended(made, for: "its sleep", at: .zero), lane: 2)
    program.add(.finished(program["maker"], .success, at: program.ms(1)))
    var resumption = TraceEvent.resumed(made, because: .itself, at: program.ms(9))
    if !isReferenced { resumption.role = .unreferenced }
    program.add(resumption, lane: 2)
    let cancellation = Cause(.cancellation, program["program"])
    program.add(
      .finished(
        made, .failure, cancelled: isCancelled ? (cancellation, program.ms(8)) : nil,
        reason: "NoNetwork", at: program.ms(9)),
      lane: 2)
    return program.rules()
  }

  @Test func `outliving-task and unhandled-failure`() {
    let both: Set<String> = ["outliving-task", "unhandled-failure"]
    #expect(Self.rules(isReferenced: false).isSuperset(of: both))
    #expect(Self.rules(isReferenced: true).isDisjoint(with: both))
    #expect(Self.rules(isReferenced: false, isChild: true).isDisjoint(with: both))
    let cancelled = Self.rules(isReferenced: false, isCancelled: true)
    #expect(!cancelled.contains("unhandled-failure"))
  }

  @Test(arguments: [true, false])
  func `task-flood`(isFault: Bool) {
    var program = Program()
    let labels = (0..<(isFault ? 300 : 200)).map { "task \($0)" }
    for label in labels { program.submit(label) }
    for label in labels { program.run(label, from: 10, to: 10) }
    #expect(program.rules().contains("task-flood") == isFault)
  }

  /// The milliseconds between the readings, the last reading, and whether there is a finding.
  private static let readings: [(Int64, Double, Bool)] = [
    (10, 1_024, true), (1, 1_024, false), (10, 128, false),
  ]

  @Test(arguments: readings)
  func `growing-buffer`(distance: Int64, last: Double, isFault: Bool) {
    var program = Program()
    program.submit("producer")
    program.run("producer", from: 0, to: 50)
    for (number, count) in zip(Int64(1)..., [64.0, 256, 512, last]) {
      program.add(
        .counter(
          "buffer", count, role: .buffer, of: program["producer"],
          at: program.ms(number * distance)))
    }
    #expect(program.rules().contains("growing-buffer") == isFault)
  }
}
