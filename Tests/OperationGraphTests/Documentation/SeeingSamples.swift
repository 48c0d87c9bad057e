import OperationGraph
import Testing

/// Forecasts, reports and pictures as the documentation shows them.
@Suite struct SeeingSamples {
  let log = Log()

  func print(_ value: some Sendable) { log.append("\(value)") }
  @Sendable func generate() {}
  @Sendable func compile() {}
  @Sendable func test() {}

  @Test func `slow operations`() async throws {
    var build = OperationGraph()
    let sources = build.add("sources") { generate() }
    let library = build.add("library", after: sources) { compile() }
    let tool = build.add("tool", after: sources) { compile() }
    let check = build.add("check", after: library, tool) { test() }

    let forecast = try build.forecast(
      sources.lasting(.seconds(1)), library.lasting(.seconds(9)), tool.lasting(.seconds(4)),
      check.lasting(.seconds(2)))
    print(forecast)
    try DocumentationTests.expectOutput(log.entries[0], in: "WhatTakesSoLong")

    let alone = try build.forecast(
      sources.lasting(.seconds(1)), library.lasting(.seconds(9)), tool.lasting(.seconds(4)),
      check.lasting(.seconds(2)), width: 1)
    print(alone.makespan)
    #expect(alone.makespan == .seconds(16))

    let run = try build.launch(width: 2, isRecording: true)
    _ = try await run.value
    if let report = run.report {
      print(report)
      print(report[tool].slack ?? .zero)
      print(try build.forecast(width: 4, durations: report.duration(of:)).makespan)
    }
    #expect(log.entries.count == 5)

    let text = build.dot(forecast)
    let chart = build.mermaid(forecast)
    #expect(text.hasPrefix("digraph {"))
    try DocumentationTests.expectOutput(chart, in: "WhatTakesSoLong")
  }

  @Test func `the comments on declarations`() async throws {
    var build = OperationGraph()
    let code = build.add("code") {}
    let art = build.add("art") {}
    let bundle = build.add("bundle", after: code, art) {}
    let forecast = try build.forecast(
      code.lasting(.seconds(3)), art.lasting(.seconds(2)), bundle.lasting(.seconds(1)), width: 2)
    print(forecast.makespan, forecast[art].slack ?? .zero)
    #expect(log.entries == ["4.0 seconds, 1.0 seconds"])

    let run = try build.launch(width: 2, isRecording: true)
    _ = try await run.value
    if let report = run.report { print(report) }
    #expect(log.entries.count == 2)
  }

  private func print(_ one: Duration, _ other: Duration) { log.append("\(one), \(other)") }
}
