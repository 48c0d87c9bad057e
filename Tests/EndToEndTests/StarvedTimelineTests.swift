import Testing

/// A timeline distinguishes steps that wait for a worker from steps that run.
@Suite struct StarvedTimelineTests {
  @Test func `a blocking queue without a worker is drawn as waiting`() async throws {
    let outcome = try await PlaygroundHome().run([
      "--clock", "virtual", "eval",
      "load OperationGraph SerialQueue; group { s: 8 * serial.semaphore { sleep 10ms } }",
    ])
    #expect(outcome.code == 0, "\(outcome)")
    func row(_ label: String) -> String {
      let line = outcome.output.split(separator: "\n").first { $0.contains("  \(label) ") } ?? ""
      let bar = line.split(separator: "│").dropFirst().first.map(String.init) ?? ""
      // Removes the marks of findings, and repeated glyphs.
      return bar.filter { !"❶❷".contains($0) }.reduce(into: "") {
        if $0.last != $1 { $0.append($1) }
      }
    }
    for queue in 1...4 { #expect(row("s-\(queue)") == "▒░", "\(outcome)") }
    for queue in 5...8 { #expect(row("s-\(queue)") == "░▒", "\(outcome)") }
    #expect(
      outcome.output.contains(
        "starvation, s-5, s-6, s-7 and 5 more: “s-5” was ready and found no worker"))
  }
}
