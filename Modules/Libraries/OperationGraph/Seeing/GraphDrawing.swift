/// A graph as boxes, lines and frames, independent of the output language.
///
/// Each part has its own frame, and so does the body of each loop. Everything is in the order of adding, so the same
/// graph gives the same text.
struct GraphDrawing {
  struct Box {
    let id: String
    /// The name, and below it the options of the operation.
    let lines: [String]
    let isCritical: Bool
  }

  struct Line {
    enum Kind { case dependency, loop, again }

    let from: String
    let to: String
    let kind: Kind
    let isCritical: Bool
  }

  struct Frame {
    let id: String
    let title: String
    var items: [Item] = []
  }

  enum Item {
    case box(Box)
    case frame(Frame)
  }

  private(set) var items: [Item] = []
  private(set) var lines: [Line] = []

  init(_ graph: OperationGraph, _ report: GraphReport?) {
    items = Self.items(graph.table, prefix: "n", report, &lines)
  }

  // MARK: Boxes and frames

  private static func items(
    _ table: OperationTable, prefix: String, _ report: GraphReport?, _ lines: inout [Line]
  ) -> [Item] {
    var open: [(frame: Frame, end: Int32)] = []
    var items: [Item] = []
    func add(_ item: Item) {
      if open.isEmpty { items.append(item) } else { open[open.count - 1].frame.items.append(item) }
    }
    // Of parts that start at the same operation, the longer ones come first.
    let parts = table.parts.enumerated().sorted { one, other in
      let (own, others) = (one.element.operations, other.element.operations)
      return own.lowerBound != others.lowerBound
        ? own.lowerBound < others.lowerBound : own.upperBound > others.upperBound
    }
    var coming = parts[...]
    var bodies: [Int32: Frame] = [:]
    for (loop, body) in zip(table.bodies.indices, table.bodies.elements) {
      bodies[loop] = frame(body.graph.table, of: loop, table, prefix: prefix, &lines)
    }
    for operation in 0..<Int32(table.count) {
      while let part = coming.first, part.element.operations.lowerBound == operation {
        let frame = Frame(id: "\(prefix)part\(part.offset)", title: part.element.name)
        open.append((frame, part.element.operations.upperBound))
        coming.removeFirst()
      }
      add(.box(box(operation, table, prefix, report)))
      if let body = bodies[operation] { add(.frame(body)) }
      while let last = open.last, last.end == operation {
        open.removeLast()
        add(.frame(last.frame))
      }
    }
    let way = report?.criticalPath.map(\.index) ?? []
    let steps = Set(zip(way, way.dropFirst()).map { Step(from: $0, to: $1) })
    for dependency in table.dependencies {
      let step = Step(from: Int(dependency.predecessor), to: Int(dependency.successor))
      lines.append(
        Line(
          from: "\(prefix)\(step.from)", to: "\(prefix)\(step.to)", kind: .dependency,
          isCritical: steps.contains(step)))
    }
    return items
  }

  private struct Step: Hashable {
    let from: Int
    let to: Int
  }

  /// The frame for the body of a loop. Also adds lines from the loop into the body and back.
  private static func frame(
    _ body: OperationTable, of loop: Int32, _ table: OperationTable, prefix: String,
    _ lines: inout [Line]
  ) -> Frame {
    let inner = "\(prefix)\(loop)x"
    let items = items(body, prefix: inner, nil, &lines)
    let comesAfter = Set(body.dependencies.map(\.successor))
    let comesBefore = Set(body.dependencies.map(\.predecessor))
    for operation in 0..<Int32(body.count) {
      if !comesAfter.contains(operation) {
        lines.append(
          Line(
            from: "\(prefix)\(loop)", to: "\(inner)\(operation)", kind: .loop, isCritical: false))
      }
      if !comesBefore.contains(operation) {
        lines.append(
          Line(
            from: "\(inner)\(operation)", to: "\(prefix)\(loop)", kind: .again,
            isCritical: false))
      }
    }
    return Frame(id: "\(inner)body", title: "each round of \(table.name(of: loop))", items: items)
  }

  private static func box(
    _ operation: Int32, _ table: OperationTable, _ prefix: String, _ report: GraphReport?
  ) -> Box {
    var lines = [table.name(of: operation)]
    if let options = table.options[operation] { lines += options.drawn }
    if table.bodies[operation] != nil { lines.append("loop") }
    let entry =
      report?.entries.indices.contains(Int(operation)) == true
      ? report?.entries[Int(operation)] : nil
    if let duration = entry?.duration {
      let slack = entry?.slack ?? .zero
      lines.append(
        duration.shortDescription + (slack > .zero ? ", slack \(slack.shortDescription)" : ""))
    }
    return Box(
      id: "\(prefix)\(operation)", lines: lines, isCritical: entry?.isCritical ?? false)
  }
}

extension OperationOptions {
  /// The options in a drawing, one line for each.
  fileprivate var drawn: [String] {
    var lines: [String] = []
    if trigger != .allSucceeded { lines.append("trigger \(trigger.rawValue)") }
    if condition != nil { lines.append("conditional") }
    if priority != .normal { lines.append("priority \(priority.drawn)") }
    for need in needs {
      lines.append(
        need.amount == Need.everything
          ? "exclusive \(need.resource)" : "needs \(need.amount) \(need.resource)")
    }
    if let retry { lines.append("retry \(retry.attempts)") }
    if let timeout { lines.append("timeout \(timeout.shortDescription)") }
    if remote != nil { lines.append("of another run") }
    return lines
  }
}

extension Priority {
  fileprivate var drawn: String {
    switch self {
    case .low: "low"
    case .high: "high"
    default: "\(rawValue)"
    }
  }
}
