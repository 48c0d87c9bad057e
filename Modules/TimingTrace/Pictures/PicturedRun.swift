internal import AsyncPatterns

/// A run as pictures and reports tell it: its record, and what its events say beside that.
struct PicturedRun {
  let record: RunRecord
  /// Of the critical path, the first one first.
  let critical: [Part]
  /// For each step of the record how much later it could have finished, as `Slack` has it; nil where it did not
  /// finish, or where there are no events.
  let slack: [Int64?]
  /// For each step of the record whose end let it start, where it waited for one.
  let waitedFor: [(step: Int, reason: HandOver.Reason)?]

  /// A step of the critical path.
  struct Part {
    /// Its position among the steps of the record; nil for the run's own.
    let step: Int?
    let label: String
    /// In nanoseconds.
    let duration: Int64
    /// Why the one before let it go on; nil for the first.
    let reason: HandOver.Reason?
  }

  init(_ run: SavedRun) {
    record = run.record
    let exported = ExportedRun(run)
    let (table, layout) = (exported.table, exported.layout)
    guard exported.steps.count == record.steps.count else {
      // The record is all there is to go by.
      critical = record.steps.enumerated().filter(\.element.isCritical).map { index, step in
        Part(step: index, label: step.label, duration: step.duration ?? 0, reason: nil)
      }
      slack = Array(repeating: nil, count: record.steps.count)
      waitedFor = Array(repeating: nil, count: record.steps.count)
      return
    }
    let path = CriticalPath(table)
    let leaves = path.leaves()
    critical = leaves.enumerated().map { position, leaf in
      Part(
        step: layout.stepOfNode[leaf], label: table.nodes[leaf].label,
        duration: table.nodes[leaf].duration ?? 0,
        reason: position == 0 ? nil : path.handOver(to: leaf)?.reason)
    }
    let slackOfNode = Slack(table, path, critical: leaves).ofNode
    var slack: [Int64?] = Array(repeating: nil, count: record.steps.count)
    var waitedFor: [(step: Int, reason: HandOver.Reason)?] = Array(
      repeating: nil, count: record.steps.count)
    for (node, step) in layout.stepOfNode.enumerated() {
      guard let step else { continue }
      slack[step] = slackOfNode[node]
      guard let handOver = path.handOver(toStartOf: node),
        let from = layout.stepOfNode[handOver.from]
      else { continue }
      waitedFor[step] = (from, handOver.reason)
    }
    self.slack = slack
    self.waitedFor = waitedFor
  }

  /// How much of the makespan that is: `57 %`.
  func share(_ duration: Int64) -> String {
    guard record.makespan > 0 else { return "0\u{A0}%" }
    let percent = Double(duration) / Double(record.makespan) * 100
    // What belongs together is not broken apart.
    return percent > 0 && percent < 1
      ? "<\u{A0}1\u{A0}%" : "\(Int(percent.rounded()))\u{A0}%"
  }

  /// Which steps the makespan is made of, in a sentence; nil where no step finished.
  var criticalSentence: String? {
    guard !critical.isEmpty else { return nil }
    var parts = critical.map { part in
      "\(part.label) \(Duration.nanoseconds(part.duration).shortDescription)"
        + (critical.count > 1 && critical.count <= 6 ? " (\(share(part.duration)))" : "")
    }
    if parts.count > 6 {
      parts = parts.prefix(3) + ["(\((parts.count - 5).grouped) more)"] + parts.suffix(2)
    }
    return "Critical path: " + parts.joined(separator: " → ")
  }

  /// Where somebody who wants the run to be shorter should begin; nil where nothing took time, or something else
  /// is wrong.
  var advice: String? {
    guard record.outcome == .success,
      let largest = critical.max(by: { $0.duration < $1.duration }), largest.duration > 0
    else {
      return nil
    }
    let time = Duration.nanoseconds(largest.duration).shortDescription
    let equals = critical.count { $0.duration == largest.duration }
    if equals == critical.count, equals > 1 {
      return "Each of the \(equals.grouped) steps of the critical path took \(time): "
        + "a shorter one makes the run shorter, and so would more of them at once."
    }
    return "To make it shorter, begin with “\(largest.label)”: it took \(time), "
      + "\(share(largest.duration)) of the makespan."
  }
}
