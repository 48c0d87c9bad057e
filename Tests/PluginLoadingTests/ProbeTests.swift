import Testing

@testable import PluginLoading

struct ProbeTests {
  private let good = ProbeRecord(
    object: "/x.so",
    plugin: ProbeRecord.Description(
      name: "X", summary: "“x”\n", patterns: [ProbeRecord.Pattern(name: "x.y", summary: "")]))

  @Test func `records pass through the pipe unchanged`() {
    let refused = ProbeRecord(
      object: "/y.so", refusal: ProbeRecord.Refusal(kind: .wrongABI, message: "no"))
    let stage = ProbeRecord(object: "/z.so", stage: .describing)
    let output = good.line + refused.line + stage.line
    #expect(ProbeRecord.records(in: output) == [good, refused, stage])
  }

  @Test func `a record is one line`() {
    #expect(good.line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    #expect(good.line.last == UInt8(ascii: "\n"))
  }

  @Test func `a line truncated by a crash and foreign lines are skipped`() {
    let output = Array("hello\n".utf8) + good.line + good.line.dropLast(5)
    #expect(ProbeRecord.records(in: output) == [good])
  }

  @Test(arguments: [
    (
      ChildProcess.End.signalled(11), PluginError.Kind.crashed,
      "crashed while its patterns were read"
    ),
    (.exited(0), .crashed, "ended its process while its patterns were read, with code 0"),
    (.silent, .hung, "hung while its patterns were read, for 10 s"),
  ])
  func `the end of a child determines the error about the plugin`(
    end: ChildProcess.End, kind: PluginError.Kind, part: String
  ) {
    let plugin = BuiltPlugin(
      origin: PluginOrigin(name: "X", kind: .file, path: "X.swift"), object: "/x.so",
      entryPoint: "e", diagnostics: "")
    let errors = "X.swift:1: Fatal error: no\nCurrent stack trace:\n0 x 0x00\n"
    let outcome = ChildProcess.Outcome(end: end, output: [], errors: Array(errors.utf8))
    let error = PluginProber.failure(
      of: plugin, stage: .readingPatterns, outcome, limit: .seconds(10))
    #expect(error.kind == kind)
    #expect(error.message.hasPrefix("X.swift " + part))
    #expect(error.output == "X.swift:1: Fatal error: no")
  }

  @Test func `a program that was not started as a probe continues`() {
    PluginProbe.main(["playground"])
    PluginProbe.main(["playground", "run", PluginProbe.argument])
  }
}
