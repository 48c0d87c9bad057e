/// The steps of a run as boxes, frames and arrows, independent of the output language.
///
/// A pattern is a frame around its steps. If an edge leads to or from a pattern, a knot inside its frame represents the
/// pattern. In DOT and in Mermaid, an arrow cannot lead from a step to a frame around that step. Everything is in the
/// order of the record, so that the same run gives the same text.
struct StepDiagram {
  struct Box {
    let id: String
    /// The label, and below it the duration, the outcome, or both.
    let lines: [String]
    let isCritical: Bool
    let outcome: StepRecord.Outcome
  }

  enum Piece {
    case box(Box)
    /// Represents the enclosing frame, or the run.
    case knot(id: String, name: String)
    case open(id: String, title: String)
    case close
  }

  struct Arrow {
    let from: String
    let to: String
    let kind: EdgeRecord.Kind
    let isCritical: Bool
  }

  let title: String
  /// Boxes, knots, and the starts and ends of frames.
  private(set) var pieces: [Piece] = []
  private(set) var arrows: [Arrow] = []

  /// - Parameters:
  ///   - prefix: the prefix of all identities.
  init(_ run: SavedRun, prefix: String) {
    let run = TraceReading(run)
    let record = run.record
    let edges = run.table.edges
    title = "\(record.name): \(record.makespan.durationText)"
    var ends: Set<Int> = []
    for edge in edges {
      ends.insert(edge.from)
      ends.insert(edge.to)
    }
    func id(_ node: Int) -> String { "\(prefix)n\(node)" }
    // The open frames, as steps.
    var open: [Int] = []
    for node in ends.sorted() where run.steps[node] == nil {
      pieces.append(.knot(id: id(node), name: run.table.label(of: node)))
    }
    for (index, step) in record.steps.enumerated() {
      while let last = open.last, last != step.parent {
        pieces.append(.close)
        open.removeLast()
      }
      let node = run.nodes[index]
      if step.isLeaf {
        pieces.append(
          .box(
            Box(
              id: id(node), lines: [step.label, StepDiagram.fate(of: step)],
              isCritical: step.isCritical, outcome: step.outcome)))
      } else {
        pieces.append(
          .open(id: "\(prefix)f\(node)", title: "\(step.label), \(StepDiagram.fate(of: step))"))
        open.append(index)
        if ends.contains(node) { pieces.append(.knot(id: id(node), name: step.pattern)) }
      }
    }
    pieces += open.map { _ in .close }
    arrows = edges.map { edge in
      let both = [edge.from, edge.to].map { run.step(of: $0)?.isCritical ?? false }
      return Arrow(
        from: id(edge.from), to: id(edge.to), kind: edge.kind,
        isCritical: both == [true, true])
    }
  }

  private static func fate(of step: StepRecord) -> String {
    guard let duration = step.duration else { return step.outcome.rawValue }
    let time = duration.durationText
    return step.outcome == .success ? time : "\(time), \(step.outcome.rawValue)"
  }
}
