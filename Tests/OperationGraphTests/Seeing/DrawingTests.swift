import Foundation
import OperationGraph
import TerminalTesting
import Testing

@Suite struct DrawingTests {
  @Test func `a drawing has boxes with their options, and arrows`() {
    var graph = OperationGraph()
    let number = graph.input(Int.self, named: "number")
    let a = graph.add(
      "a", number, when: { $0 > 0 }, with: .priority(.high), perform: { $0 + 1 })
    let b = graph.add(
      "b", with: .retry(3), .timeout(.milliseconds(1500)), .needs("db", 2), .exclusive("screen")
    ) {}
    graph.add(after: a, b, with: .trigger(.anySucceeded)) {}
    #expect(
      graph.dot() == """
        digraph {
          rankdir=LR;
          node [shape=box];
          n0 [label="a\\nconditional\\npriority high"];
          n1 [label="b\\nneeds 2 db\\nexclusive screen\\nretry 3\\ntimeout 1.5s"];
          n2 [label="operation 3\\ntrigger any-succeeded"];
          n0 -> n2;
          n1 -> n2;
        }

        """)
    #expect(
      graph.mermaid() == """
        flowchart LR
          n0["a<br/>conditional<br/>priority high"]
          n1["b<br/>needs 2 db<br/>exclusive screen<br/>retry 3<br/>timeout 1.5s"]
          n2["operation 3<br/>trigger any-succeeded"]
          n0 --> n2
          n1 --> n2

        """)
  }

  /// Returns a graph with a part in a part, a loop, and a critical path.
  private func composed() throws -> (OperationGraph, GraphReport) {
    var inner = OperationGraph()
    inner.add("deep") {}
    var part = OperationGraph()
    let first = part.add("first") {}
    let embedded = part.embed("inner", inner)
    part.addDependency(of: embedded.begin, on: first)
    var round = OperationGraph()
    let value = round.input(Int.self)
    let half = round.add("half", value) { $0 / 2 }
    let rounded = round.add("rounded", half) { $0 }
    var graph = OperationGraph()
    let start = graph.add("start") { () throws -> Int in 40 }
    let tests = graph.embed("tests", part)
    graph.addDependency(of: tests.begin, on: start)
    graph.loop("shrink", from: start, over: round, input: value, output: rounded) { $0 > 3 }
    let report = try graph.forecast(
      start.lasting(.seconds(1)), tests[first].lasting(.seconds(2)))
    return (graph, report)
  }

  @Test
  func `parts have nested frames, loops show their body, and the critical path is bold`()
    throws
  {
    let (graph, report) = try composed()
    #expect(
      graph.dot(report) == """
        digraph {
          rankdir=LR;
          node [shape=box];
          n0 [label="start\\n1s", penwidth=3];
          subgraph cluster_npart0 {
            label="tests";
            n1 [label="tests/begin\\n0ns", penwidth=3];
            n2 [label="tests/first\\n2s", penwidth=3];
            subgraph cluster_npart1 {
              label="tests/inner";
              n3 [label="tests/inner/begin\\n0ns", penwidth=3];
              n4 [label="tests/inner/deep\\n0ns", penwidth=3];
              n5 [label="tests/inner/end\\n0ns", penwidth=3];
            }
            n6 [label="tests/end\\n0ns", penwidth=3];
          }
          n7 [label="shrink\\nloop\\n0ns, slack 2s"];
          subgraph cluster_n7xbody {
            label="each round of shrink";
            n7x0 [label="half"];
            n7x1 [label="rounded"];
          }
          n7x0 -> n7x1;
          n7 -> n7x0 [style=dashed];
          n7x1 -> n7 [style=dashed, label="again", constraint=false];
          n3 -> n4 [penwidth=3];
          n4 -> n5 [penwidth=3];
          n3 -> n5;
          n2 -> n3 [penwidth=3];
          n1 -> n2 [penwidth=3];
          n5 -> n6 [penwidth=3];
          n1 -> n6;
          n0 -> n1 [penwidth=3];
          n0 -> n7;
        }

        """)
    let mermaid = graph.mermaid(report)
    #expect(mermaid.contains("  subgraph npart0[\"tests\"]\n    n1["))
    #expect(mermaid.contains("    subgraph npart1[\"tests/inner\"]\n      n3["))
    #expect(mermaid.contains("  n0 ==> n1\n"))
    #expect(mermaid.contains("  n7 -.-> n7x0\n  n7x1 -. again .-> n7\n"))
    #expect(mermaid.hasSuffix("  class n0,n1,n2,n3,n4,n5,n6 critical\n"))
    #expect(mermaid.split(separator: "\n").count { $0.hasSuffix("end") } == 3)
  }

  @Test func `the same graph gives the same text`() throws {
    let (one, report) = try composed()
    let (other, again) = try composed()
    #expect(one.dot(report) == other.dot(again) && one.mermaid(report) == other.mermaid(again))
  }

  private static let odd = [
    "say \"hello\"", "back\\slash", "two\nlines", "a -> b; }", "<b>&amp;</b>", "tab\tbell\u{7}",
    "ende \\",
    "ümlaut → 日本", "`code` #1", "end", "%% comment",
  ]

  @Test func `labels may contain any characters`() {
    var graph = OperationGraph()
    for label in Self.odd { graph.add(label) {} }
    let boxes = graph.dot().split(separator: "\n").filter { $0.hasPrefix("  n") }.dropFirst()
    #expect(
      boxes.map { $0.split(separator: "\"", maxSplits: 1)[1].dropLast(3) } == [
        "say \\\"hello\\\"", "back\\\\slash", "two\\nlines", "a -> b; }", "<b>&amp;amp;</b>",
        "tab bell ",
        "ende \\\\", "ümlaut → 日本", "`code` #1", "end", "%% comment",
      ])
    let lines = graph.mermaid().split(separator: "\n").dropFirst()
    #expect(
      lines.map { $0.split(separator: "\"", maxSplits: 1)[1].dropLast(2) } == [
        "say #34;hello#34;", "back#92;slash", "two<br/>lines", "a -#62; b#59; #125;",
        "#60;b#62;#38;amp#59;#60;/b#62;", "tab bell ", "ende #92;", "ümlaut → 日本",
        "#96;code#96; #35;1",
        "end", "#37;#37; comment",
      ])
  }

  /// Runs Graphviz itself if it is installed.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dot")))
  func `Graphviz draws the graph correctly`() async throws {
    var (graph, report) = try composed()
    for label in Self.odd { graph.add(label) {} }
    let dot = try await Child(["/usr/bin/dot", "-Tsvg"], input: graph.dot(report)).outcome()
    #expect(dot.code == 0 && dot.errors.isEmpty, "\(dot.errors)")
    let svg = dot.output
    #expect(svg.components(separatedBy: "class=\"node\"").count - 1 == graph.count + 2)
    #expect(svg.components(separatedBy: "class=\"cluster\"").count - 1 == 3)
    #expect(svg.contains(">say &quot;hello&quot;<") && svg.contains(">back\\slash<"))
    #expect(svg.contains(">&lt;b&gt;&amp;amp;&lt;/b&gt;<"))
  }
}
