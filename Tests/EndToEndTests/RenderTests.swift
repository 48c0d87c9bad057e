import Foundation
import Testing

/// Labels drawn by the built program: live and virtual, cancelled, saved and compared.
@Suite struct RenderTests {
  private static let load = "load AsyncRender; "
  private static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

  private func value(_ script: String, clock: String = "virtual") async throws -> Data {
    let outcome = try await PlaygroundHome().eval(
      Self.load + script, "--json", "--clock", clock)
    #expect(outcome.code == 0, "\(outcome)")
    let run = try #require(outcome.records("run").last)
    return try #require(run.string("value").flatMap { Data(base64Encoded: $0) })
  }

  @Test func `live and virtual runs draw the same picture in all three patterns`() async throws {
    let first = try await value(#"render(size: 300x200, text: "Grüße, 世界")"#)
    #expect(first.starts(with: Self.signature))
    for pattern in ["render", "render.sync", "render.yy"] {
      for clock in ["live", "virtual"] {
        let script = "\(pattern)(size: 300x200) { a: value \"Grüße, 世界\" }"
        #expect(try await value(script, clock: clock) == first, "\(pattern), \(clock)")
      }
    }
  }

  @Test(arguments: ["render(text: \"x\", save: \"b.png\")", "render \"x\""])
  func `a picture is written, and saved`(call: String) async throws {
    let home = try PlaygroundHome()
    let written =
      call == "render \"x\"" ? "render(text: \"x\")" : call
    let outcome = try await home.eval(
      Self.load + "load SerialQueue; serial { \(written); write \"a.png\" }")
    #expect(outcome.code == 0, "\(outcome)")
    let file = try Data(contentsOf: URL(filePath: home.workingFolder + "/a.png"))
    #expect(file.starts(with: Self.signature))
    if call.contains("save") {
      #expect(try Data(contentsOf: URL(filePath: home.workingFolder + "/b.png")) == file)
    }
  }

  @Test func `saving a picture is for the live clock`() async throws {
    let call = #"render(text: "x", save: "b.png")"#
    for script in [call, "set clock virtual; \(call)", "explore \(call)"] {
      let options = script == call ? ["--clock", "virtual"] : []
      let outcome = try await PlaygroundHome().run(
        ["eval", #"print "begun"; "# + Self.load + script] + options)
      #expect(outcome.code == 2 && outcome.output.isEmpty, "\(outcome)")
      #expect(
        outcome.errors.contains(
          "“save” is for the live clock only, but this run is on the virtual clock"),
        "\(outcome)")
      #expect(outcome.errors.contains("^"), "\(outcome)")
    }
  }

  @Test func `the three patterns can be compared`() async throws {
    let outcome = try await PlaygroundHome().records(
      Self.load
        + """
        changes = [ a: value "one"; pause: sleep 5ms; b: value "two" ]
        compare changes under render, render.sync, render.yy
        """)
    #expect(outcome.code == 0, "\(outcome)")
    let rows = try #require(outcome.records("compare").first).objects("rows")
    #expect(rows.map { $0.string("name") } == ["render", "render.sync", "render.yy"])
  }

  @Test(arguments: [
    (#"render(font: "")"#, "font"), (#"render(font: "Sans")"#, "has no size"),
    ("render(line-cost: -1ms)", "negative"), (#"render(color: "no such")"#, "not a colour"),
    ("render(size: 99999x1)", "too large"), ("render(every: 2)", "policy: at-least-every"),
    (#"render(save: "a.jpg")"#, ".png"), (#"render(size: 0x0, save: "a.png")"#, "at least 1"),
    ("render(scale: 400)", "a scale of 400 is"), ("render(from: here)", "main or pool"),
    ("render.yy(display: never)", "async or sync"), ("render(display: sync)", "no parameter"),
    ("render(scale: 0)", "above 0"),
    ("render(policy: never)", "finish-then-latest"), ("render(every: 0)", "from 1"),
  ])
  func `a mistake is reported before anything runs`(call: String, text: String) async throws {
    let outcome = try await PlaygroundHome().eval(Self.load + call)
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains(text), "\(outcome)")
    #expect(outcome.errors.contains("^"), "\(outcome)")
  }

  @Test func `an empty block is a blank picture`() async throws {
    #expect(try await value("render { }").starts(with: Self.signature))
  }

  @Test func `drawing stops when it is interrupted in the middle of a long text`() async throws {
    let home = try PlaygroundHome()
    let process = try home.start([
      "eval",
      Self.load + """
        load SerialQueue
        serial {
          text: sh "echo begun > begun; yes The quick brown fox | head -200000"
          picture: render(size: 8000x8000, font: "Sans 6")
        }
        """,
    ])
    let begun = home.workingFolder + "/begun"
    while !FileManager.default.fileExists(atPath: begun) { await Task.yield() }
    process.interrupt()
    let outcome = try await process.outcome()
    #expect(outcome.code == 130, "\(outcome)")
    #expect(!outcome.output.contains("left running"), "\(outcome)")
  }

  @Test func `through a pipe, the run is reported in a line, without a picture`() async throws {
    let outcome = try await PlaygroundHome().run(
      ["run", "-"], input: "load AsyncRender\nrender(text: \"x\")\n")
    #expect(outcome.code == 0 && !outcome.output.contains("\u{1B}"), "\(outcome)")
  }

  @Test func `a missing didDisplay is found by exploring, reported, and found nowhere else`()
    async throws
  {
    let steps = #"{ a: value 1; b: value 2 }"#
    let home = try PlaygroundHome()
    let found = try await home.records(Self.load + "explore render.yy \(steps)")
    #expect(found.code == 1, "\(found)")
    let replay = try #require(found.records("explore").first?.string("replay"))
    let again = try await home.records(Self.load + "render.yy \(steps); replay \"\(replay)\"")
    let rules = try again.records("run").last?.objects("lints").compactMap { $0.string("rule") }
    #expect(rules?.contains("missing-did-display") == true, "\(again)")
    for pattern in ["render", "render.sync"] {
      let outcome = try await home.records(Self.load + "explore \(pattern) \(steps)")
      #expect(outcome.code == 0, "\(outcome)")
    }
  }

  // MARK: Other faults of the original

  private func lints(_ script: String) async throws -> [String: String] {
    let outcome = try await PlaygroundHome().records(Self.load + script)
    let run = try #require(outcome.records("run").last, "\(outcome)")
    return run.objects("lints").reduce(into: [:]) { lints, lint in
      lints[lint.string("rule") ?? ""] = lint.string("message")
    }
  }

  @Test func `synchronously and without a size, the original has nothing to draw on`() async throws
  {
    let failed = try await PlaygroundHome().eval(
      Self.load + #"render.yy(display: sync, size: 0x0, text: "x")"#, "--clock", "virtual")
    #expect(failed.code == 3, "\(failed)")
    #expect("\(failed)".contains("got no canvas: its size is 0x0"), "\(failed)")
    for pattern in ["render", "render.sync"] {
      let outcome = try await PlaygroundHome().records(
        Self.load + "\(pattern)(size: 0x0, text: \"x\")")
      #expect(outcome.code == 0, "\(outcome)")
    }
  }

  @Test func `the original draws to the end for a layer that was released`() async throws {
    let arguments = #"(lifetime: 5ms, line-cost: 8ms, text: "one\ntwo\nthree")"#
    let lint = try await lints("render.yy\(arguments)")
    #expect(lint["wasted-drawing"]?.contains("19ms of it after the layer had been") == true)
    for pattern in ["render", "render.sync"] {
      #expect(try await lints("\(pattern)\(arguments)") == [:])
    }
  }

  @Test func `the original shows a drawing cancelled from outside, which is reported`() async throws
  {
    let call = """
      (from: pool, line-cost: 5ms) { draft: value 1; pause: sleep 5ms; final: value 2 } \
      checking { expect lints != stale-contents; expect outcome != failure }
      """
    let found = try await PlaygroundHome().records(Self.load + "explore render.yy\(call)")
    #expect(found.code == 1, "\(found)")
    let replay = try #require(found.records("explore").first?.string("replay"))
    let lint = try await lints("replay \"\(replay)\"")
    #expect(lint["stale-contents"]?.contains("check and show under one lock") == true, "\(lint)")
    for pattern in ["render", "render.sync"] {
      let outcome = try await PlaygroundHome().records(Self.load + "explore \(pattern)\(call)")
      #expect(outcome.code == 0, "\(outcome)")
    }
  }
}
