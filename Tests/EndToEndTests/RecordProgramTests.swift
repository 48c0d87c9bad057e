import Foundation
import TerminalTesting
import Testing
import TimingTrace

/// `playground record -- ./program`: an unmodified program, and the record of its tasks.
@Suite struct RecordProgramTests {
  private func record(
    _ word: String, in home: PlaygroundHome
  ) async throws -> PlaygroundProcess.Outcome {
    try await home.run(
      ["record", "--save", "run.jsonl", "--", try await ExploredProgram.path, word])
  }

  @Test func `the program keeps its output and its exit code, and its tasks have names`()
    async throws
  {
    let home = try PlaygroundHome()
    let outcome = try await record("work", in: home)
    #expect(outcome.output.hasPrefix("worked\n"), "\(outcome)")
    #expect(outcome.code == 5)
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    for name in ["explored · failure", "it exited with 5", "main ", "worker", "Gate", "main actor"]
    {
      #expect(shown.output.contains(name), "\(shown)")
    }
    let why = try await home.run(["trace", "why", "run.jsonl", "worker"])
    #expect(why.output.contains("its sleep"), "\(why)")
    let main = try await home.run(["trace", "why", "run.jsonl", "main"])
    #expect(main.output.contains("worker"), "\(main)")
  }

  @Test func `a task that listens to a stream until the program ends is no finding`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await record("listen", in: home)
    #expect(outcome.code == 0, "\(outcome)")
    let lints = try await home.run(["trace", "lint", "run.jsonl"])
    #expect(!lints.output.contains("never-resumed"), "\(lints)")
    let why = try await home.run(["trace", "why", "run.jsonl", "listener"])
    #expect(why.output.contains("the next element of a stream"), "\(why)")
  }

  @Test func `a stream has one counter, which returns to 0 when the stream is empty`() async throws
  {
    let home = try PlaygroundHome()
    _ = try await record("drain", in: home)
    let counters = try savedRecord(in: home).counters
    #expect(counters.count == 1, "\(counters.map(\.name))")
    let values = counters.first?.points.map(\.value) ?? []
    #expect(values.max() ?? 0 >= 256 && values.last == 0, "\(values)")
  }

  @Test func `a task that finds all threads blocked is starved`() async throws {
    let home = try PlaygroundHome()
    _ = try await record("starve", in: home)
    let lints = try savedRecord(in: home).lints.filter { $0.rule == "starvation" }
    #expect(lints.map(\.step) == ["starved"], "\(lints)")
    #expect(lints.first?.message.contains("by “blocker”") == true, "\(lints)")
  }

  @Test func `a missing temporary folder is an error that says what to do`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run(
      ["record", "--save", "run.jsonl", "--", try await ExploredProgram.path, "work"],
      environment: ["TMPDIR": home.workingFolder + "/none"])
    #expect(outcome.code == 2, "\(outcome)")
    #expect(
      outcome.errors.contains("none/” cannot be written: No such file or directory; set TMPDIR"))
    #expect(outcome.errors.contains("set TMPDIR to another folder"), "\(outcome)")
  }

  /// The record of the only run in the file.
  private func savedRecord(in home: PlaygroundHome) throws -> RunRecord {
    try #require(SavedRuns.read(home.workingFolder + "/run.jsonl").runs.first).record
  }

  @Test(arguments: ["compute", "compute-killed"])
  func `the last work of a program is recorded`(word: String) async throws {
    let home = try PlaygroundHome()
    let outcome = try await record(word, in: home)
    let record = try savedRecord(in: home)
    #expect(record.outcome == (word == "compute" ? .success : .unfinished), "\(outcome)")
    #expect(record.work >= 20_000_000)
    #expect(record.makespan >= 20_000_000)
    #expect(record.steps.first { $0.label == "main" }?.started != nil)
  }

  @Test func `an exit code other than 0 is a failure, even if no exit handler runs`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await record("leave", in: home)
    #expect(outcome.code == 6, "\(outcome)")
    let record = try savedRecord(in: home)
    #expect(record.outcome == .failure)
    #expect(record.error == "it exited with 6")
  }

  @Test(arguments: ["compute-killed", "trap"])
  func `unfinished tasks of an incomplete recording are no findings`(word: String) async throws {
    let home = try PlaygroundHome()
    _ = try await record(word, in: home)
    let record = try savedRecord(in: home)
    #expect(record.isIncomplete)
    #expect(record.steps.contains { $0.finished == nil })
    let rules = Set(record.lints.map(\.rule))
    #expect(rules.isDisjoint(with: ["never-completed", "never-resumed"]), "\(record.lints)")
  }

  @Test func `the time after a crash counts for no task`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await record("trap", in: home)
    #expect(outcome.errors.contains("trapped"), "\(outcome)")
    // Swift shows a backtrace after the crash, which takes longer than a task may hold the main actor.
    let record = try savedRecord(in: home)
    #expect(!record.lints.contains { $0.rule == "held-main-actor" }, "\(record.lints)")
  }

  @Test func `after a crash, the file contains everything recorded until then`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await record("trap", in: home)
    #expect(outcome.errors.contains("trapped"), "\(outcome)")
    #expect(outcome.code > 128)
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    #expect(shown.output.contains("explored · unfinished"), "\(shown)")
    #expect(shown.output.contains("worker"))
    #expect(shown.output.contains("ended it"), "\(shown)")
  }

  @Test func `an unfinished task shows what it waits for`() async throws {
    let home = try PlaygroundHome()
    _ = try await record("faults", in: home)
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    #expect(shown.output.contains("ms, waits for"), "\(shown)")
    let why = try await home.run(["trace", "why", "run.jsonl", "lost"])
    #expect(why.output.contains("for a continuation, from"), "\(why)")
  }

  @Test func `the record shows how each task ended and how long it took`() async throws {
    let home = try PlaygroundHome()
    _ = try await record("faults", in: home)
    /// The task after “by” in the line “cancelled … by”.
    func canceller(in account: String) -> Substring? {
      account.split(separator: "\n").first { $0.hasPrefix("  cancelled  ") }?
        .split(separator: " by ").last
    }
    func account(_ task: String) async throws -> String {
      try await home.run(["trace", "why", "run.jsonl", task]).output
    }
    let failing = try await account("failing")
    #expect(failing.contains("failing (task): failure"), "\(failing)")
    #expect(failing.contains("Failure"), "\(failing)")
    let cancelled = try await account("cancelled")
    #expect(cancelled.contains("cancelled (task): cancelled"), "\(cancelled)")
    #expect(canceller(in: cancelled) == "main", "\(cancelled)")
    for task in ["member", "part"] {
      let told = try await account(task)
      #expect(told.contains("\(task) (task): cancelled"), "\(told)")
      #expect(canceller(in: told) == "canceller", "\(told)")
    }
    let runs = try SavedRuns.read(home.workingFolder + "/run.jsonl").runs
    let steps = try #require(runs.first).record.steps
    let computing = try #require(steps.first { $0.label == "computing" })
    #expect(computing.finished! - computing.started! >= 20_000_000)
    #expect(steps.contains { $0.label == "immediate" && $0.outcome == .success })
    let lets = steps.filter { $0.label.hasPrefix("static Program.combine()") }
    #expect(lets.map(\.outcome) == [.failure, .cancelled, .success], "\(lets)")
  }

  @Test func `a task that entered a free actor is known as its holder`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await record("queue", in: home)
    #expect(outcome.code == 0, "\(outcome)")
    let why = try await home.run(["trace", "why", "run.jsonl", "waiter"])
    #expect(why.output.contains("for Slow"), "\(why)")
    #expect(why.output.contains("holder"), "\(why)")
  }

  @Test func `faults of tasks are found`() async throws {
    let home = try PlaygroundHome()
    _ = try await record("faults", in: home)
    let lints = try await home.run(["trace", "lint", "run.jsonl"]).output
    for sentence in [
      "blocked-thread, main/user-", "usleep, called by Gate.block() at Explored.swift:",
      "never-resumed, lost:",
      "“lost” has waited for a continuation since",
    ] {
      #expect(lints.contains(sentence), "\(lints)")
    }
    // Only one of the three streams of `fillStreams()` has a limit.
    #expect(lints.contains("growing-buffer, flooding, 2 times:"), "\(lints)")
    #expect(
      lints.contains("filled by closure #1 in static Program.fillStreams() at Explored.swift:"),
      "\(lints)")
  }

  @Test func `a function of the system is not named as a caller`() async throws {
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.optimizedPath
    _ = try await home.run(["record", "--save", "run.jsonl", "--", program, "lock"])
    let lints = try savedRecord(in: home).lints.filter {
      $0.rule == "blocked-thread" && $0.step == "waiter"
    }
    #expect(lints.first?.message.contains("in pthread_mutex_lock") == true, "\(lints)")
    #expect(!lints.contains { $0.message.contains("start_thread") }, "\(lints)")
  }

  @Test func `only tasks that no code refers to lose their errors or outlive their creators`()
    async throws
  {
    let home = try PlaygroundHome()
    let outcome = try await record("errors", in: home)
    #expect(outcome.code == 0, "\(outcome)")
    let lints = try savedRecord(in: home).lints
    func steps(_ rule: String) -> [String] { lints.filter { $0.rule == rule }.map(\.step) }
    #expect(steps("unhandled-failure") == ["forgotten"], "\(lints)")
    #expect(steps("outliving-task") == ["outliving"], "\(lints)")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal reaches the program, and the recording is kept`(signal: Int32) async throws {
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.path
    let terminal = try home.prompt(["record", "--save", "run.jsonl", "--", program, "wait"])
    try await terminal.expect("waiting")
    if signal == SIGINT { terminal.press(.controlC) } else { terminal.signal(signal) }
    try await terminal.expect("saved 1 run")
    #expect(try await terminal.waitForExit() == 128 + signal)
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    #expect(shown.output.contains(signal == SIGINT ? "SIGINT ended it" : "SIGTERM ended it"))
    #expect(shown.output.contains("explored · unfinished"), "\(shown)")
  }

  @Test func `if the system kills the program, the recording is kept`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await waiting(in: home)
    let process = try String(
      contentsOfFile: recordingFolder(in: home) + "/process", encoding: .utf8)
    kill(try #require(Int32(process)), SIGKILL)
    try await terminal.expect("saved 1 run")
    #expect(try await terminal.waitForExit() == 128 + SIGKILL)
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    #expect(shown.output.contains("SIGKILL ended it"), "\(shown)")
    #expect(shown.output.contains("explored · unfinished"), "\(shown)")
    #expect(shown.output.contains("waits for a cont"), "\(shown)")
  }

  /// `timeout` signals first the playground, then the whole group of processes.
  @Test func `a signal to the playground and the program counts as one`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await waiting(in: home)
    let process = try String(
      contentsOfFile: recordingFolder(in: home) + "/process", encoding: .utf8)
    // When the playground continues, the program has ended, and the signal of the playground has arrived.
    terminal.signal(SIGSTOP)
    kill(try #require(Int32(process)), SIGTERM)
    terminal.signal(SIGTERM)
    terminal.signal(SIGCONT)
    try await terminal.expect("saved 1 run")
    #expect(try await terminal.waitForExit() == 128 + SIGTERM)
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    #expect(shown.output.contains("SIGTERM ended it"), "\(shown)")
  }

  @Test func `a program is stopped at its time limit, and the recording is kept`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run(
      [
        "record", "--time-limit", "2s", "--save", "run.jsonl", "--",
        try await ExploredProgram.path, "wait",
      ])
    #expect(outcome.code == 4, "\(outcome)")
    #expect(outcome.errors.contains("It was stopped at the time limit, 2s"), "\(outcome)")
    let record = try savedRecord(in: home)
    #expect(record.outcome == .unfinished)
    #expect(record.error?.hasPrefix("It was stopped at the time limit, 2s") == true)
    #expect(record.steps.contains { $0.label == "main" })
  }

  @Test func `the programs that a program starts are recorded if asked for`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run(
      [
        "record", "--children", "--save", "run.jsonl", "--", try await ExploredProgram.path,
        "parent",
      ])
    #expect(outcome.output.hasPrefix("worked\nchild exited with 5\n"), "\(outcome)")
    let records = try SavedRuns.read(home.workingFolder + "/run.jsonl").runs.map(\.record)
    #expect(records.map(\.outcome) == [.success, .failure])
    #expect(records.last?.error == "it exited with 5")
    #expect(records.map { $0.steps.contains { $0.label == "worker" } } == [false, true])
  }

  @Test func `a damaged recording does not crash the reader`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await waiting(in: home)
    let path = recordingFolder(in: home) + "/recording"
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    // The places lie in the header, and in the buffer of the first thread.
    for place: UInt64 in [24, 32, 65_536, 65_544, 65_600, 65_603, 65_608, 65_620, 65_650, 65_680] {
      try file.seek(toOffset: place)
      let byte = try #require(try file.read(upToCount: 1)?.first)
      try file.seek(toOffset: place)
      try file.write(contentsOf: [byte ^ 0xa5])
      let once = try await home.run(["trace", "follow", "run.jsonl"])
      #expect(once.code == 0, "byte \(place): \(once)")
    }
    try file.close()
    terminal.press(.controlC)
    _ = try await terminal.waitForExit()
  }

  /// Records a program that waits.
  private func waiting(in home: PlaygroundHome) async throws -> PseudoTerminal {
    let program = try await ExploredProgram.path
    let terminal = try home.prompt(["record", "--save", "run.jsonl", "--", program, "wait"])
    try await terminal.expect("waiting")
    return terminal
  }

  /// While the program runs, a link beside the file leads to the folder of its recording.
  private func recordingFolder(in home: PlaygroundHome) -> String {
    home.workingFolder + "/run.jsonl.recording"
  }

  @Test func `nothing is lost of many tasks on many threads`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await record("many", in: home)
    #expect(outcome.output.hasPrefix("3000\n"), "\(outcome)")
    let runs = try SavedRuns.read(home.workingFolder + "/run.jsonl").runs
    let record = try #require(runs.first).record
    #expect(record.dropped == 0)
    let tasks = record.steps.filter { $0.pattern == "task" && $0.label != "main" }
    #expect(tasks.count == 1_000)
    #expect(tasks.allSatisfy { $0.outcome == .success })
    // The tasks are made in two places; the label of each task names its line.
    let lines = Dictionary(grouping: tasks) { task in
      task.label.split(separator: " ").drop { $0 != "line" }.dropFirst().first
    }
    #expect(lines.mapValues(\.count).values.sorted() == [500, 500], "\(lines.keys)")
  }

  @Test func `a program can be followed while it is recorded`() async throws {
    let home = try PlaygroundHome()
    let program = try await ExploredProgram.path
    let recording = try home.prompt(["record", "--save", "run.jsonl", "--", program, "wait"])
    try await recording.expect("waiting")
    let once = try await home.run(["trace", "follow", "run.jsonl"])
    #expect(once.output.hasPrefix("explored · running · so far"), "\(once)")
    #expect(once.output.contains("waits for a cont"), "\(once)")
    let left = try home.prompt(["trace", "follow", "run.jsonl"])
    try await left.expect("1 task, 1 of them unfinished")
    try await left.press(.controlC, expecting: "the program is still running")
    #expect(try await left.waitForExit() == 128 + SIGINT)
    let following = try home.prompt(["trace", "follow", "run.jsonl"])
    try await following.expect("1 task, 1 of them unfinished")
    recording.press(.controlC)
    try await following.expect("the program has ended; playground trace show run.jsonl")
    #expect(try await following.waitForExit() == 0)
    _ = try await recording.waitForExit()
    let late = try await home.run(["trace", "follow", "run.jsonl"])
    #expect(late.errors.contains("no program is being recorded for “run.jsonl”"), "\(late)")
    #expect(late.code == 2)
  }

  @Test func `a recording needs a file`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run(["record", "--", try await ExploredProgram.path, "work"])
    #expect(outcome.errors.contains("“record” needs a file to save to"), "\(outcome)")
    #expect(outcome.code == 2)
  }
}
