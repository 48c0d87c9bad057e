internal import GraphText

extension OperationGraph {
  /// The graph as a flowchart in Mermaid's language, which many Markdown renderers draw. Each operation is a box that
  /// shows its options. Each part and each body of a loop is a frame. An arrow leads from each operation to those after
  /// it.
  ///
  /// The same graph gives the same text. Inputs are not drawn, because they exist before the run.
  ///
  /// - Parameter report: its critical path is drawn bold, and its durations and slack are written into the boxes.
  /// - Complexity: O(operations × log operations + dependencies)
  public func mermaid(_ report: GraphReport? = nil) -> String {
    let drawing = GraphDrawing(self, report)
    var lines = ["flowchart LR"]
    lines += drawing.items.flatMap { $0.mermaid(indentation: "  ") }
    lines += drawing.lines.map { line in
      let arrow =
        switch line.kind {
        case .dependency: line.isCritical ? "==>" : "-->"
        case .loop: "-.->"
        case .again: "-. again .->"
        }
      return "  \(line.from) \(arrow) \(line.to)"
    }
    let critical = drawing.items.flatMap(\.criticalBoxes)
    if !critical.isEmpty {
      lines.append("  classDef critical stroke-width:4px")
      lines.append("  class \(critical.joined(separator: ",")) critical")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension GraphDrawing.Item {
  fileprivate func mermaid(indentation: String) -> [String] {
    switch self {
    case .box(let box):
      let label = box.lines.map(\.mermaidEscaped).joined(separator: "<br/>")
      return ["\(indentation)\(box.id)[\"\(label)\"]"]
    case .frame(let frame):
      return ["\(indentation)subgraph \(frame.id)[\"\(frame.title.mermaidEscaped)\"]"]
        + frame.items.flatMap { $0.mermaid(indentation: indentation + "  ") }
        + ["\(indentation)end"]
    }
  }

  fileprivate var criticalBoxes: [String] {
    switch self {
    case .box(let box): box.isCritical ? [box.id] : []
    case .frame(let frame): frame.items.flatMap(\.criticalBoxes)
    }
  }
}
