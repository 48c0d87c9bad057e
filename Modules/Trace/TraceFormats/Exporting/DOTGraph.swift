internal import GraphText
internal import TraceBasics

/// The steps of runs in DOT, Graphviz's language, for `dot -Tsvg`. Each step is a box, bold on the critical path. Each
/// pattern is a frame, and each edge is an arrow. If there are several runs, each run is a frame of the one graph.
enum DOTGraph {
  static func write(_ runs: [SavedRun], to output: inout TextOutput) {
    output.line("digraph {")
    output.line("  rankdir=LR;")
    output.line("  node [shape=box];")
    for (index, run) in runs.enumerated() {
      let prefix = runs.count > 1 ? "r\(index + 1)" : ""
      write(StepDiagram(run, prefix: prefix), prefix, isAlone: runs.count == 1, to: &output)
    }
    output.line("}")
  }

  private static func write(
    _ diagram: StepDiagram, _ prefix: String, isAlone: Bool, to output: inout TextOutput
  ) {
    var depth = 1
    func line(_ text: String) { output.line(String(repeating: "  ", count: min(depth, 64)) + text) }
    if !isAlone {
      line("subgraph cluster_\(prefix) {")
      depth += 1
    }
    line("label=\"\(diagram.title.dotEscaped)\";")
    for piece in diagram.pieces {
      switch piece {
      case .box(let box):
        let label = box.lines.map(\.dotEscaped).joined(separator: "\\n")
        line("\(box.id) [label=\"\(label)\"\(style(of: box))];")
      case .knot(let id, let name):
        line("\(id) [label=\"\(name.dotEscaped)\", shape=ellipse];")
      case .open(let id, let title):
        line("subgraph cluster_\(id) {")
        depth += 1
        line("label=\"\(title.dotEscaped)\";")
      case .close:
        depth -= 1
        line("}")
      }
    }
    if !isAlone {
      depth -= 1
      line("}")
    }
    for arrow in diagram.arrows { line("\(arrow.from) -> \(arrow.to)\(style(of: arrow));") }
  }

  private static func style(of box: StepDiagram.Box) -> String {
    let critical = box.isCritical ? ", penwidth=3" : ""
    return switch box.outcome {
    case .success: critical
    case .failure: critical + ", color=red"
    case .cancelled, .unfinished, .skipped, .waiting: critical + ", style=dashed"
    }
  }

  private static func style(of arrow: StepDiagram.Arrow) -> String {
    var attributes: [String] = []
    switch arrow.kind {
    case .dependency: break
    case .spawned: attributes.append("style=dotted")
    case .resolvedBy, .woke, .permitFrom:
      // These edges may lead back to steps that had already started.
      attributes += ["style=dashed", "label=\"\(arrow.kind.rawValue)\"", "constraint=false"]
    }
    if arrow.isCritical { attributes.append("penwidth=3") }
    return attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
  }
}
