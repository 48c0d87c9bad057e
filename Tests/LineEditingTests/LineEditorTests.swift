import Foundation
import Glibc
import TerminalTesting
import Testing

/// Types into a program that only has a prompt.
@Suite struct LineEditorTests {
  @Test func `a line is a block`() async throws {
    let terminal = try await echo()
    try await terminal.type("hello é wörld\n", expecting: "block[1]: hello é wörld\n")
    try await terminal.expect("echo> ")
  }

  @Test func `a block of several lines is one history entry`() async throws {
    let terminal = try await echo()
    try await terminal.type("a {\n", expecting: "....> ")
    try await terminal.type("  b\n", expecting: "....> ")
    try await terminal.type("}\n", expecting: "block[3]: a {|  b|}\n")
    try await terminal.expect("echo> ")
    try await terminal.press(.up, .enter, expecting: "block[3]: a {|  b|}\n")
  }

  @Test func `blank lines are not blocks`() async throws {
    let terminal = try await echo()
    let printed = try await terminal.type("\n  \nx\n", expecting: "block[1]: x\n")
    #expect(printed.ranges(of: "block").count == 1)
  }

  @Test func `the history outlives the session`() async throws {
    let state = NSTemporaryDirectory() + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: state) }
    let first = try await echo(["XDG_STATE_HOME": state])
    first.type("a {\n}\none\none\nquit\n")
    #expect(try await first.waitForExit() == 0)

    let second = try await echo(["XDG_STATE_HOME": state])
    // Moves up past "quit" and the single entry "one".
    try await second.press(.up, .up, .up, .enter, expecting: "block[2]: a {|}\n")
  }

  @Test func `Ctrl-C discards the typed text`() async throws {
    let terminal = try await echo()
    try await terminal.type("some text", expecting: "some text")
    try await terminal.press(.controlC, expecting: "^C\necho> ")
    try await terminal.type("a {\n", expecting: "....> ")
    try await terminal.press(.controlC, expecting: "^C\necho> ")
    try await terminal.type("next\n", expecting: "block[1]: next\n")
    #expect(!terminal.transcript.contains("nothing to interrupt"))
  }

  @Test func `Ctrl-C leaves all rows of the typed text on the screen`() async throws {
    let terminal = try await echo(columns: 20)
    terminal.type("0123456789 0123456789 0123456789")
    try await terminal.expectScreen("three rows") {
      $0.count == 2 || $0.last?.hasSuffix("6789") == true
    }
    terminal.press(.controlC)
    let lines = try await terminal.expectScreen("a new prompt") {
      $0.last == "echo> " || $0.last == "echo>"
    }
    #expect(lines.joined().contains("echo> 0123456789 0123456789 0123456789^C"), "\(lines)")
  }

  @Test func `Ctrl-C with nothing typed is reported`() async throws {
    let terminal = try await echo()
    try await terminal.press(.controlC, expecting: "^C\nnothing to interrupt\necho> ")
  }

  @Test func `Ctrl-C interrupts a run`() async throws {
    let terminal = try await echo()
    try await terminal.type("run\n", expecting: "running\n")
    try await terminal.press(.controlC, expecting: "run interrupted\necho> ")
    try await terminal.type("still here\n", expecting: "block[1]: still here\n")
  }

  @Test func `Ctrl-C works while the main thread is blocked`() async throws {
    let terminal = try await echo()
    try await terminal.type("hold\n", expecting: "holding\n")
    try await terminal.press(.controlC, expecting: "released\n")
    try await terminal.expect("cancelled\n")
    try await terminal.expect("echo> ")
    try await terminal.type("still here\n", expecting: "block[1]: still here\n")
    #expect(!terminal.transcript.contains("nothing to interrupt"))
  }

  @Test func `text typed during a run waits`() async throws {
    let terminal = try await echo()
    try await terminal.type("run\n", expecting: "running\n")
    terminal.type("ahead\n")
    // The terminal itself echoes the text.
    try await terminal.expect("ahead\n")
    terminal.signal(SIGUSR2)
    try await terminal.expect("run finished\necho> ")
    try await terminal.expect("block[1]: ahead\n")
  }

  @Test func `output appears above the line being typed`() async throws {
    let terminal = try await echo()
    terminal.type("abc")
    terminal.press(.left)
    try await terminal.expectScreen("the line") { $0.last == "echo> abc" }
    terminal.signal(SIGUSR1)
    try await terminal.expectScreen("the output above the line") {
      $0.suffix(2) == ["tick: something happened", "echo> abc"]
    }
    try await terminal.type("X\n", expecting: "block[1]: abXc\n")
  }

  @Test func `output appears above a line that fills several rows`() async throws {
    let terminal = try await echo(columns: 30)
    let text = String(repeating: "0123456789", count: 7)
    terminal.type(text)
    let rows = [
      "echo> " + text.prefix(24), String(text.dropFirst(24).prefix(30)), "4567890123456789",
    ]
    try await terminal.expectScreen("the rows") { $0.filter { !$0.isEmpty } == rows }
    terminal.signal(SIGUSR1)
    try await terminal.expectScreen("the output above them") {
      $0.filter { !$0.isEmpty } == ["tick: something happened"] + rows
    }
  }

  @Test func `Tab completes`() async throws {
    let terminal = try await echo()
    terminal.type("pro\t")
    try await terminal.expectScreen("the word") { $0.last == "echo> promise" }
    terminal.type("ser\t")
    try await terminal.expectScreen("what all share") { $0.last == "echo> promise serial" }
    terminal.press(.tab)
    try await terminal.expectScreen("the list") {
      $0.suffix(2) == [
        "serial            serial.semaphore  serial.chain", "echo> promise serial",
      ]
    }
    try await terminal.type(
      ".se\t{é\t}\n", expecting: "block[1]: promise serial.semaphore {é-accent }\n")
  }

  @Test func `Tab completes inside strings and on later lines`() async throws {
    let terminal = try await echo()
    try await terminal.type("a {\n", expecting: "....> ")
    try await terminal.type(
      "read \"so\tle\t }\n", expecting: "block[2]: a {|read \"some/path-1.d/file\" }\n")
  }

  @Test func `a paste is a block`() async throws {
    let terminal = try await echo()
    terminal.paste("one\ntwo\tthree {\n}\n")
    try await terminal.expectScreen("the paste") { $0.contains("}") }
    try await terminal.press(.enter, expecting: "block[3]: one|two\tthree {|}\n")
  }

  @Test func `lines that arrive together are read in order`() async throws {
    // The terminal would show the lines that arrive during a block, in the middle of what the block prints.
    let terminal = try await echo(showsTyping: false)
    // More lines than one turn of the run loop reads.
    let count = 700
    terminal.type((1...count).map { "line \($0)\n" }.joined())
    for number in 1...count { try await terminal.expect("block[1]: line \(number)\n") }
  }

  @Test func `Ctrl-D deletes a character, and leaves on an empty line`() async throws {
    let terminal = try await echo()
    terminal.type("xyz")
    try await terminal.press(.controlA, .controlD, .enter, expecting: "block[1]: yz\n")
    try await terminal.expect("echo> ")
    try await terminal.press(.controlD, expecting: "goodbye\n")
    #expect(try await terminal.waitForExit() == 7)
  }

  @Test func `Ctrl-D ends an unfinished block`() async throws {
    let terminal = try await echo()
    try await terminal.type("a {\n", expecting: "....> ")
    try await terminal.press(.controlD, expecting: "block[1]: a {\n")
    try await terminal.expect("echo> ")
    try await terminal.type("later\n", expecting: "block[1]: later\n")
    #expect(terminal.screen.contains("echo> later"))
    #expect(!terminal.screen.dropLast().contains(""), "no line is empty")
  }

  @Test func `the line adapts to the window's width`() async throws {
    let terminal = try await echo(columns: 60)
    terminal.type("0123456789 0123456789 0123456789")
    try await terminal.expectScreen("one row") {
      $0.last == "echo> 0123456789 0123456789 0123456789"
    }
    terminal.resize(columns: 20, rows: 40)
    try await terminal.expectScreen("three rows") { lines in
      lines.suffix(2) == ["6789 0123456789"] || lines.last == "456789 0123456789"
        || lines.suffix(2).joined().hasSuffix("0123456789 0123456789")
    }
    try await terminal.type("!\n", expecting: "block[1]: 0123456789 0123456789 0123456789!\n")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func `a signal that ends the program restores the terminal`(number: Int32) async throws {
    // A shell runs the program, outlives it and can print the settings of the terminal.
    let terminal = try PseudoTerminal(
      executable: "/bin/sh", arguments: ["-c", "ulimit -c 0; '\(program)'; echo code $?; stty -a"],
      environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 })
    try await terminal.expect("echo> ")
    let answer = try await terminal.type("pid\n", expecting: "end of pid")
    let process = try #require(answer.split(separator: " ").compactMap { pid_t($0) }.first)
    try await terminal.expect("echo> ")
    kill(process, number)
    try await terminal.expect("code \(128 + number)")
    try await terminal.expect("isig icanon")
    #expect(try await terminal.waitForExit() == 0)
  }

  /// No program can write to the stopped terminal, not even the escape sequences that restore it.
  @Test func `a signal ends the program on a terminal stopped by Ctrl-S`() async throws {
    let terminal = try await echo()
    try await terminal.type("abc", expecting: "abc")
    terminal.stopOutput()
    terminal.signal(SIGTERM)
    #expect(try await terminal.waitForExit() == 128 + SIGTERM)
  }

  @Test func `Ctrl-Z stops the program, and fg continues it`() async throws {
    let terminal = try PseudoTerminal(
      executable: "/bin/bash", arguments: ["--norc", "--noprofile", "-i"],
      environment: environment.merging(["PATH": "/usr/bin:/bin", "PS1": "shell$ "]) { $1 })
    try await terminal.expect("shell$ ")
    try await terminal.type("'\(program)'\n", expecting: "\necho> ")
    try await terminal.type("abc", expecting: "abc")
    try await terminal.press(.controlZ, expecting: "Stopped")
    try await terminal.type("stty -a\n", expecting: "isig icanon")
    try await terminal.expect("shell$ ")
    try await terminal.type("fg\n", expecting: "\necho> abc")
    try await terminal.type("d\n", expecting: "block[1]: abcd\n")
  }

  @Test func `Ctrl-Z does nothing if no shell could continue the program`() async throws {
    let terminal = try await echo()
    terminal.type("abc")
    // The terminal discards unread input when it turns a key into a signal.
    try await terminal.expect("abc")
    terminal.press(.controlZ)
    try await terminal.type("d\n", expecting: "block[1]: abcd\n")
    #expect(terminal.screen.first == "echo> abcd")
  }

  @Test func `a run that starts by itself hides the line until it ends`() async throws {
    let terminal = try await echo()
    try await terminal.type("é {\n", expecting: "....> ")
    terminal.type("abc")
    terminal.press(.left)
    // Typing another letter shows that the key was processed, too.
    terminal.type("Y")
    try await terminal.expectScreen("the line") { $0.last == "....> abYc" }
    terminal.signal(SIGUSR2)
    try await terminal.expectScreen("the run alone") {
      $0.filter { !$0.isEmpty } == ["echo> é {", "run by itself"]
    }
    terminal.signal(SIGUSR2)
    try await terminal.expectScreen("the line again") {
      $0.suffix(3) == ["run by itself", "run finished", "....> abYc"]
    }
    try await terminal.type("X\n}\n", expecting: "block[3]: é {|abYXc|}\n")
  }

  @Test func `Ctrl-C leaves the history search`() async throws {
    let terminal = try await echo()
    try await terminal.type("findable\n", expecting: "block[1]: findable\n")
    try await terminal.expect("echo> ")
    terminal.press(.controlR)
    terminal.type("dab")
    try await terminal.expectScreen("what was found") {
      $0.last == "(reverse-i-search)`dab': findable"
    }
    try await terminal.press(.controlC, expecting: "\necho> ")
    try await terminal.type("after\n", expecting: "block[1]: after\n")
    // Between two lines the terminal itself handles the key.
    try await terminal.expect("echo> ")
    terminal.press(.controlR)
    try await terminal.type("dab\n", expecting: "block[1]: findable\n")
  }

  @Test func `a dumb terminal works`() async throws {
    let terminal = try await echo(["TERM": "dumb"])
    try await terminal.type("plain\n", expecting: "block[1]: plain\n")
    try await terminal.expect("echo> ")
    try await terminal.type("abc", expecting: "abc")
    terminal.signal(SIGUSR1)
    try await terminal.expect("tick: something happened\necho> abc")
    try await terminal.press(.controlC, expecting: "echo> ")
    try await terminal.press(.controlD, expecting: "\ngoodbye\n")
    #expect(try await terminal.waitForExit() == 7)
  }

  @Test func `a history that cannot be written is reported once`() async throws {
    let terminal = try PseudoTerminal(
      executable: program, environment: environment.merging(["XDG_STATE_HOME": "/proc/no"]) { $1 })
    try await terminal.expect("The history cannot be saved: /proc/no: ")
    try await terminal.type("x\ny\n", expecting: "block[1]: y\n")
    #expect(terminal.transcript.ranges(of: "The history cannot be saved").count == 1)
  }

  @Test func `without colours the prompt is plain`() async throws {
    let terminal = try await echo(["NO_COLOR": "1"])
    #expect(!terminal.raw.contains("\u{1B}[1m"))
    let colourful = try await echo()
    #expect(colourful.raw.contains("\u{1B}[1mecho>\u{1B}[0m "))
  }
}

private let program = builtProgram("LineEditingEcho")

/// Has no home directory, so that tests neither see nor change a real history.
private let environment = ["INPUTRC": "/dev/null", "LANG": "C.UTF-8"]

/// Starts the program and waits until its prompt is on the screen.
private func echo(
  _ changes: [String: String] = [:], columns: Int = 100, showsTyping: Bool = true
) async throws -> PseudoTerminal {
  let silencing = ["-c", "stty -echo && exec \"$0\"", program]
  let terminal = try PseudoTerminal(
    executable: showsTyping ? program : "/bin/sh", arguments: showsTyping ? [] : silencing,
    environment: environment.merging(changes) { $1 }, columns: columns)
  try await terminal.expect("echo> ")
  return terminal
}
