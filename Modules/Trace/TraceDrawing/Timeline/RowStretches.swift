/// The stretches of a row, in no order. Some of them cover others.
///
/// The stretches of steps are made while they are read. A row can have a million steps, and storing their stretches
/// would take as much memory as the steps.
struct RowStretches {
  private enum Source {
    case listed([TimelineRow.Stretch])
    case steps(StepPositions, StepStretches)
  }

  private let source: Source

  init(_ stretches: [TimelineRow.Stretch]) { source = .listed(stretches) }

  /// - Parameter steps: the positions of the steps.
  init(of steps: StepPositions, in stretches: StepStretches) { source = .steps(steps, stretches) }

  func visit(_ body: (TimelineRow.Stretch) -> Void) {
    switch source {
    case .listed(let stretches): for stretch in stretches { body(stretch) }
    case .steps(let steps, let stretches): for step in steps { stretches.visit(step, body) }
    }
  }

  var all: [TimelineRow.Stretch] {
    var all: [TimelineRow.Stretch] = []
    // Most steps wait, and then run.
    if case .steps(let steps, _) = source { all.reserveCapacity(2 * steps.count) }
    visit { all.append($0) }
    return all
  }

  var byKind: [TimelineRow.Kind: [TimelineRow.Stretch]] {
    var byKind: [TimelineRow.Kind: [TimelineRow.Stretch]] = [:]
    visit { byKind[$0.kind, default: []].append($0) }
    return byKind
  }

  /// - Complexity: O(n) up to the first step with such a stretch.
  func contains(where isMeant: (TimelineRow.Stretch) -> Bool) -> Bool {
    switch source {
    case .listed(let stretches): return stretches.contains(where: isMeant)
    case .steps(let steps, let stretches):
      return steps.contains { step in
        var isFound = false
        stretches.visit(step) { if !isFound { isFound = isMeant($0) } }
        return isFound
      }
    }
  }
}
