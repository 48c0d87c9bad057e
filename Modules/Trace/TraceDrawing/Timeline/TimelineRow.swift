/// A row of a timeline: one step, or several steps of one kind folded into one.
///
/// The terminal, SVG, PNG and the page all draw these rows.
struct TimelineRow {
  var label: String
  var depth: Int
  var isCritical: Bool
  var state: StepRecord.Outcome
  /// The text on the right.
  var note: String
  var stretches: RowStretches
  /// The positions of its steps in the record; none for the run's own step.
  var steps: StepPositions = []
  /// The moments that are marked in it.
  var marks: [Mark] = []

  struct Stretch {
    var kind: Kind
    var from: Int64
    var to: Int64
    /// The text inside the stretch, if there is room.
    var caption: String?

    var length: Int64 { to.subtractingClamped(from) }
  }

  /// What happens in a stretch. A later kind covers an earlier one.
  enum Kind: Int, CaseIterable {
    case wait
    /// A timer of its pattern delays it.
    case delay
    case run
    /// It ran until it was cancelled.
    case cancelled
    /// It was cancelled before, and keeps running.
    case keptRunning
    case blocked
  }

  struct Mark: Hashable {
    var kind: Kind
    var time: Int64

    enum Kind: Hashable {
      case timeout
      /// The finding with this number, from 1.
      case finding(Int)
    }
  }

  /// The numbers of the findings that are marked in the row, each once.
  var findings: [Int] {
    marks.compactMap { mark in
      guard case .finding(let number) = mark.kind else { return nil }
      return number
    }
  }
}

/// An arrow between two rows: a step of the critical path let another one continue.
struct RowArrow {
  /// The positions of the rows.
  var from: Int
  var to: Int
  /// The label of the earlier step.
  var label: String
  var reason: HandOver.Kind
  /// When the earlier step let the later one continue. `start` is when the later one continued.
  var end: Int64
  var start: Int64
}
