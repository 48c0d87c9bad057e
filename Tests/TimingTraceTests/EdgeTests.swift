import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// How steps let each other continue, including the run's own step.
@Suite struct EdgeTests {
  @Test func `the step that resolved the run has an edge to its label`() {
    let script = EventScript("root: race early blocked 0..10 by a { a: 0..10 }")
    #expect(
      script.record().edges == [
        EdgeRecord(from: "a", to: "root", kind: .woke),
        EdgeRecord(from: "a", to: "root", kind: .resolvedBy),
      ])
    #expect(script.record().criticalPath == ["a"])
  }

  /// `serial.semaphore { a; b }`: a thread waits for each of its steps, and each step wakes it. The run's own step
  /// requests both; that is an edge, too.
  static let woken = {
    var script = EventScript("root", "serial.semaphore", steps: [])
    for (index, key) in ["a", "b"].enumerated() {
      let time = Int64(10 * index)
      script.submit(key, in: "root", by: "root", at: time)
      script.start(key, at: time)
      script.block("root", at: time)
      script.finish(key, at: time + 10)
      script.unblock("root", by: key, at: time + 10)
    }
    script.finish("root", at: 20)
    return script
  }()

  @Test func `every format has all edges`() throws {
    let run = ExportSamples.run("woken", Self.woken)
    let expected = ["root a spawned", "a root woke", "root b spawned", "b root woke"]
    #expect(run.record.edges.map { "\($0.from) \($0.to) \($0.kind.rawValue)" } == expected)
    let chrome = TraceFormat.chrome.text(of: [run])
    #expect(chrome.ranges(of: #""ph":"s""#).count == 4)
    #expect(chrome.ranges(of: #""ph":"f""#).count == 4)
    #expect(TraceFormat.otlp.text(of: [run]).ranges(of: "edge.kind").count == 4)
    for (format, arrow) in [(TraceFormat.dot, " -> "), (.mermaid, "->")] {
      let lines = format.text(of: [run]).split(separator: "\n").filter { $0.contains(arrow) }
      #expect(lines.count == 4, "\(lines)")
      #expect(lines.count { $0.contains("woke") } == 2, "\(lines)")
    }
    // The import restores the edges.
    let back = try ChromeImport(bytes: Array(chrome.utf8)).runs[0].record
    #expect(Set(back.edges) == Set(run.record.edges) && back.edges.count == 4)
  }
}
