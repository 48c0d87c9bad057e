internal import GraphText

extension OperationGraph {
  /// The graph in DOT, the language of Graphviz, for `dot -Tsvg`. Each operation is a box that shows its options. Each
  /// part and each body of a loop is a frame. An arrow leads from each operation to those after it.
  ///
  /// The same graph gives the same text. Inputs are not drawn, because they exist before the run.
  ///
  /// - Parameter report: its critical path is drawn bold, and its durations and slack are written into the boxes.
  /// - Complexity: O(operations × log operations + dependencies)
  public func dot(_ report: GraphReport? = nil) -> String {
    let drawing = GraphDrawing(self, report)
    var lines = ["digraph {", "  rankdir=LR;", "  node [shape=box];"]
    lines += drawing.items.flatMap { $0.dot(indentation: "  ") }
    lines += drawing.lines.map { line in
      var attributes: [String] = []
      switch line.kind {
      case .dependency: break
      case .loop: attributes.append("style=dashed")
      case .again: attributes += ["style=dashed", "label=\"again\"", "constraint=false"]
      }
      if line.isCritical { attributes.append("penwidth=3") }
      let suffix = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
      return "  \(line.from) -> \(line.to)\(suffix);"
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }
}

extension GraphDrawing.Item {
  fileprivate func dot(indentation: String) -> [String] {
    switch self {
    case .box(let box):
      let label = box.lines.map(\.dotEscaped).joined(separator: "\\n")
      return [
        "\(indentation)\(box.id) [label=\"\(label)\"\(box.isCritical ? ", penwidth=3" : "")];"
      ]
    case .frame(let frame):
      return ["\(indentation)subgraph cluster_\(frame.id) {"]
        + ["\(indentation)  label=\"\(frame.title.dotEscaped)\";"]
        + frame.items.flatMap { $0.dot(indentation: indentation + "  ") } + ["\(indentation)}"]
    }
  }
}
