import Foundation
import Testing

/// Counters as the program shows and exports them.
@Suite struct CounterTests {
  private static let script = """
    load "Counting.swift"; load SerialQueue
    serial { fadeIn: fade; pause: sleep 3s; fadeOut: fade(from: 1, to: 0) }
    """

  private static func home() throws -> PlaygroundHome {
    let home = try PlaygroundHome()
    try home.write(PluginSources.counting, to: "Counting.swift")
    return home
  }

  private static func plot(in output: String) -> [String] {
    let lines = output.split(separator: "\n").map(String.init)
    guard let first = lines.firstIndex(where: { $0.hasPrefix("  opacity") }) else { return [] }
    return Array(lines[first..<min(first + 4, lines.count)])
  }

  @Test func `a run and the show command draw the curve`() async throws {
    let outcome = try await Self.home().eval(
      "set width 80\n\(Self.script)\nvalue 1\nshow 1", "--clock", "virtual")
    #expect(outcome.code == 0, "\(outcome)")
    let plot = Self.plot(in: outcome.output)
    #expect(plot.count == 4)
    // The curve goes up, stays level for three seconds, and goes down. Each row except the first contains two strokes.
    #expect(plot.first?.hasPrefix("  opacity│") == true && plot.first?.hasSuffix("│ 1") == true)
    #expect(plot.first?.contains(String(repeating: "⠉", count: 40)) == true, "\(plot)")
    #expect(plot.last?.hasSuffix("│ 0") == true)
    #expect(outcome.output.ranges(of: plot.joined(separator: "\n")).count == 2)
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func `without Unicode the curve is plain`() async throws {
    let outcome = try await Self.home().eval(
      Self.script, "--clock", "virtual", environment: ["LANG": "C"])
    #expect(outcome.output.utf8.allSatisfy { $0 < 0x80 })
    #expect(outcome.output.contains("''''''''''"))
  }

  /// Each counter still belongs to its step, however deep the step is nested.
  @Test func `counters survive export to and import from Chrome's format`() async throws {
    let home = try Self.home()
    let made = try await home.records(
      """
      load "Counting.swift"; load SerialQueue OperationGraph
      group { x: serial { fade; fade(from: 1, to: 0) }; y: serial { sleep 50ms; fade } }
      """, "--save", "a.runs")
    #expect(made.code == 0, "\(made)")
    #expect(try await home.run(["trace", "export", "a.runs", "a.json"]).code == 0)
    #expect(try await home.run(["trace", "import", "a.json", "b.runs"]).code == 0)
    let compared = try await home.run(["compare", "a.runs", "b.runs"])
    #expect(compared.code == 0, "\(compared)")
  }

  @Test func `JSON records contain the points`() async throws {
    let home = try Self.home()
    let outcome = try await home.records(Self.script, "--save", "a.runs")
    let run = try #require(try outcome.records("run").first)
    let counters = run.objects("counters")
    #expect(counters.map { $0.string("name") } == ["opacity", "opacity"])
    #expect(counters.map { $0.string("step") } == ["fadeIn", "fadeOut"])
    let last = counters.last?.objects("points").last
    #expect(last?.integer("at_ns") == 3_600_000_000 && last?.integer("value") == 0)
    let shown = try await home.run(["trace", "show", "a.runs", "--json"])
    #expect(shown.output == outcome.output)
    #expect(Self.plot(in: shown.errors).count == 4)
    let chrome = try await home.run(["trace", "export", "a.runs"])
    #expect(chrome.output.contains(#""ph":"C","name":"opacity""#))
  }
}
