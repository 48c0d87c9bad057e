internal import GraphText
internal import TraceBasics

/// The steps of runs as a flow chart for Mermaid. Each step is a box, each pattern is a frame, and each edge is an
/// arrow. Boxes and dependencies on the critical path are thick. Several runs are several frames of one chart.
enum MermaidGraph {
  static func write(_ runs: [SavedRun], to output: inout TextOutput) {
    output.line("flowchart LR")
    for (index, run) in runs.enumerated() {
      let prefix = "r\(index + 1)"
      write(StepDiagram(run, prefix: prefix), prefix, to: &output)
    }
  }

  private static func write(_ diagram: StepDiagram, _ prefix: String, to output: inout TextOutput) {
    var depth = 1
    func line(_ text: String) { output.line(String(repeating: "  ", count: min(depth, 64)) + text) }
    func open(_ id: String, _ title: String) {
      line("subgraph \(id) [\"\(title.mermaidEscaped)\"]")
      depth += 1
    }
    open(prefix, diagram.title)
    var critical: [String] = []
    for piece in diagram.pieces {
      switch piece {
      case .box(let box):
        if box.isCritical { critical.append(box.id) }
        line("\(box.id)[\"\(box.lines.map(\.mermaidEscaped).joined(separator: "<br/>"))\"]")
      case .knot(let id, let name): line("\(id)([\"\(name.mermaidEscaped)\"])")
      case .open(let id, let title): open(id, title)
      case .close:
        depth -= 1
        line("end")
      }
    }
    depth -= 1
    line("end")
    for arrow in diagram.arrows {
      let shaft =
        switch arrow.kind {
        case .dependency: arrow.isCritical ? "==>" : "-->"
        case .spawned: "-.->"
        case .resolvedBy, .woke, .permitFrom: "-. \(arrow.kind.rawValue) .->"
        }
      line("\(arrow.from) \(shaft) \(arrow.to)")
    }
    if !critical.isEmpty {
      line("classDef \(prefix)critical stroke-width:3px")
      line("class \(critical.joined(separator: ",")) \(prefix)critical")
    }
  }
}
