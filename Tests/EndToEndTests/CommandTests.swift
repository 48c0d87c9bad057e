import Foundation
import Testing

/// The commands of a session that reads from a pipe.
@Suite struct CommandTests {
  @Test func `background runs are listed, awaited and cancelled`() async throws {
    let home = try PlaygroundHome()
    let gate = try NamedPipe(home.workingFolder + "/gate")
    gate.write("through")
    let outcome = try await home.eval(
      """
      load SerialQueue
      serial { a: never } &
      sh "read x < gate; echo $x" &
      jobs
      wait 2
      expect value == "through"
      cancel 1
      wait
      jobs
      """, "--json")
    #expect(outcome.code == 0, "cancelled runs do not count: \(outcome)")
    #expect(try outcome.records("run").map { $0.string("outcome") } == ["success", "cancelled"])
    #expect(outcome.errors.contains("[1] running  serial { a: never }\n[2] running  sh "))
    #expect(
      outcome.errors.contains("[1] cancelled  serial { a: never }\n[2] success  sh "))
  }

  @Test func `the end of a script waits for background runs`() async throws {
    let outcome = try await PlaygroundHome().eval("sleep 5ms &; fail \"no\" &", "--json")
    #expect(outcome.code == 3)
    #expect(try outcome.records("run").count == 2)
  }

  @Test func `a background run has the number of its run`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "value 1; never &; value 3; jobs; show 2; cancel 2; wait 2; runs")
    #expect(outcome.output.contains("[2] never\n"), "\(outcome)")
    #expect(outcome.output.contains("[2] running  never\n"), "\(outcome)")
    #expect(
      outcome.errors.contains("run 2, “never”, still runs in the background\n"), "\(outcome)")
    let lines = outcome.output.split(separator: "\n").suffix(3).map {
      $0.split(separator: " ").prefix(2).joined(separator: " ")
    }
    #expect(lines == ["1 success", "2 cancelled", "3 success"], "\(outcome)")
  }

  @Test func `like rows fold, and all of them can be shown`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "load Promises; set clock virtual; all { page: 300 * sleep 10ms }; show 1 all")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("* page × 300│"), "\(outcome)")
    #expect(outcome.output.contains("\n“show 1 all” gives each step a row\n"), "\(outcome)")
    let rows = outcome.output.split(separator: "\n").map {
      $0.prefix { $0 != "│" }.trimmingCharacters(in: ["*", " "])
    }
    let pages = (1...300).map { "page-\($0)" }
    #expect(rows.filter { $0.hasPrefix("page-") } == pages, "\(outcome)")
  }

  @Test func `runs are kept and can be shown again`() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      load SerialQueue
      serial { a: sleep 20ms }
      serial { b: sleep 10ms }
      runs
      show 1
      compare runs 1, 2
      expect ratio "serial { b: sleep 10ms }" == 0.5
      expect verdict "serial { b: sleep 10ms }" == faster
      """, "--clock", "virtual")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      outcome.output.contains(
        """
        run  outcome  makespan  name
        1    success  20ms      serial { a: sleep 20ms }
        2    success  10ms      serial { b: sleep 10ms }
        serial { a: sleep 20ms } · success · makespan 20ms
        """))
  }

  @Test func `names are listed`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "load SerialQueue; job = [ a: sleep 1ms; b: value 2 ]; twofold = serial { 2 * value 1 }; names"
    )
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("job      =  [ a: sleep 1ms; b: value 2 ]"), "\(outcome)")
    #expect(outcome.output.contains("twofold  =  serial { 2 * value 1 }"), "\(outcome)")
  }

  @Test func `help covers every command, pattern and plugin`() async throws {
    let overview = try await PlaygroundHome().eval("help")
    let commands = [
      "load", "unload", "reload", "plugins", "patterns", "names", "help", "run", "runs", "show",
      "compare", "expect", "explore", "replay", "simulate", "trace", "set", "jobs", "wait",
      "cancel", "source", "history", "lessons", "lesson", "quit",
    ]
    #expect(overview.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
    let words = overview.output.split(whereSeparator: \.isWhitespace)
    let list = try await PlaygroundHome().eval("help commands")
    for command in commands {
      #expect(words.contains { $0 == command }, "\(command)")
      #expect(list.output.contains("\n  \(command) "), "\(command)")
      #expect(try await PlaygroundHome().eval("help \(command)").code == 0)
    }
    let serial = try await PlaygroundHome().eval("load SerialQueue; help serial; help SerialQueue")
    #expect(serial.output.hasPrefix("serial([width: N], "))
    #expect(serial.output.contains(" { steps }\n"))
    #expect(serial.output.contains("\nExamples:\n  serial { "))
    #expect(serial.output.contains("\nSerialQueue: "))
  }

  @Test func `plugins and patterns are listed`() async throws {
    let outcome = try await PlaygroundHome().eval("plugins; load SerialQueue; plugins; patterns")
    for module in ["SerialQueue", "Promises", "GCD", "Foundation", "SwiftConcurrency", "HTTP"] {
      #expect(outcome.output.contains("\n\(module) "), "\(module)")
    }
    #expect(outcome.output.contains("\nserial.semaphore "))
    #expect(outcome.output.contains("\nsleep "))
    #expect(!outcome.output.contains("\npromise "), "nothing is loaded before a command needs it")
  }

  @Test func `a sourced script binds names and runs in the same session`() async throws {
    let home = try PlaygroundHome()
    try home.write("source lib/jobs.play\nserial job; expect value == 7", to: "x.play")
    try home.write("source more.play", to: "lib/jobs.play")
    try home.write("load SerialQueue\njob = [ a: value 7 ]\n", to: "lib/more.play")
    let outcome = try await home.run(["run", "x.play"])
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `quit ends a script`() async throws {
    let outcome = try await PlaygroundHome().eval("print \"before\"; quit; print \"after\"")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("before"))
    #expect(!outcome.output.contains("after"))
  }

  static let refused: [(script: String, message: String)] = [
    ("show 3", "there is no run 3"), ("show", "nothing has been run yet"),
    ("wait 3", "there is no background run 3"), ("cancel 3", "there is no background run 3"),
    ("value 1; compare runs 1, 9", "there is no run 9"),
    ("unload Nothing", "Nothing"), ("reload Nothing", "Nothing"),
  ]

  @Test(arguments: refused)
  func `a command with an unknown object is an error`(
    script: String, message: String
  ) async throws {
    let outcome = try await PlaygroundHome().eval(script, "--json")
    #expect(outcome.code == 2)
    #expect(try outcome.records("error").first?.string("message")?.contains(message) == true)
  }

  @Test(arguments: ["quit", "exit", "q"])
  func `each name of a command has its help`(name: String) async throws {
    let outcome = try await PlaygroundHome().eval("help \(name)")
    #expect(outcome.output.contains("quit | exit | q"), "\(outcome)")
  }
}
