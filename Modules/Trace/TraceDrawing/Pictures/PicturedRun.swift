/// A run as pictures and reports tell it: its record, and what its events say beside that.
struct PicturedRun {
  let record: RunRecord
  /// Of the critical path, the first one first.
  let critical: [Part]
  /// For each step of it its share of the makespan.
  private let shares: [Int: Int64]
  /// For each step of the record how much later it could have finished, as `Analysis` has it; nil where there are no
  /// events, too.
  let slack: [Int64?]
  /// For each step of the record whose end let it start, where it waited for one.
  let waitedFor: [(step: Int, reason: HandOver.Kind)?]

  /// The steps of one name that took most of the critical path; nil where none took any time.
  let largest: Family?

  /// The steps of one name that lie on the critical path.
  struct Family {
    let name: String
    let count: Int
    /// Of all of them together, in nanoseconds.
    let time: Int64
  }

  /// A step of the critical path.
  struct Part {
    /// Its position among the steps of the record.
    let step: Int
    let label: String
    /// Its share of the makespan, in nanoseconds.
    let duration: Int64
    /// Why the one before let it go on; nil for the first.
    let reason: HandOver.Kind?
  }

  init(_ run: SavedRun) {
    record = run.record
    let reading = TraceReading(run)
    if reading.nodes.count == record.steps.count {
      let analysis = Analysis(reading, workers: run.workers)
      critical = analysis.criticalPath.map { part in
        Part(
          step: part.step, label: run.record.steps[part.step].label, duration: part.time,
          reason: part.handOver?.kind)
      }
      slack = analysis.slack
      waitedFor = reading.nodes.map { node in
        let last = reading.table.waits(of: node).max { $0.until < $1.until }
        return last.flatMap { wait in reading.steps[wait.source].map { ($0, wait.kind) } }
      }
    } else {
      // The record is all there is to go by.
      critical = record.steps.enumerated().filter(\.element.isCritical).map { index, step in
        Part(step: index, label: step.label, duration: step.duration ?? 0, reason: nil)
      }
      slack = record.steps.map { _ in nil }
      waitedFor = record.steps.map { _ in nil }
    }
    shares = Dictionary(critical.map { ($0.step, $0.duration) }) { first, _ in first }
    largest = Self.largest(of: critical)
  }

  private static func largest(of critical: [Part]) -> Family? {
    let families = Dictionary(grouping: critical) { Folding.stem(of: $0.label) }
      .map { name, parts in
        Family(
          name: parts.count == 1 ? parts[0].label : name, count: parts.count,
          time: parts.reduce(Int64(0)) { $0.addingClamped($1.duration) })
      }
    let largest = families.max { ($0.time, $1.name) < ($1.time, $0.name) }
    return largest.flatMap { $0.time > 0 ? $0 : nil }
  }

  /// Its share of the makespan, in nanoseconds, if it is one step of the critical path.
  func share(of row: TimelineRow) -> Int64? {
    guard row.steps.count == 1, row.isCritical else { return nil }
    return shares[row.steps[0]]
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

  /// Where to begin to make the run shorter; nil where it failed or nothing took time.
  var advice: String? {
    guard record.outcome == .success, let largest else { return nil }
    let time = Duration.nanoseconds(critical[0].duration).shortDescription
    if critical.count > 1, critical.allSatisfy({ $0.duration == critical[0].duration }) {
      return "Each of the \(critical.count.grouped) steps of the critical path took \(time): "
        + "a shorter one makes the run shorter, and so would more of them at the same time."
    }
    let steps = largest.count == 1 ? "it" : "\(largest.count.grouped) of them one after another"
    return "To make it shorter, begin with “\(largest.name)”: \(steps) took "
      + "\(Duration.nanoseconds(largest.time).shortDescription), "
      + "\(share(largest.time)) of the makespan."
  }
}

extension SavedRun {
  /// Where to begin to make the run shorter, in a sentence; nil where it failed or nothing took time.
  ///
  /// - Complexity: O(n log n) in the number of events.
  public var advice: String? { PicturedRun(self).advice }
}

extension HandOver.Kind {
  /// What it is called beside an arrow.
  var words: String {
    switch self {
    case .spawned: "started by it"
    case .dependency: "dependency"
    case .resolvedBy: "resolved by it"
    case .woke: "thread woken"
    case .permit: "permit handed on"
    case .queue: "its turn"
    }
  }
}
