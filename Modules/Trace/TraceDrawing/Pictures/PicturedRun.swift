/// A run as pictures and reports show it: its record, and further results from its events.
struct PicturedRun {
  let record: RunRecord
  /// The parts of the critical path, the first one first.
  let critical: [Part]
  /// For each step on the critical path, its share of the makespan.
  private let shares: [Int: Int64]
  /// For each step of the record, its slack, as in `Analysis`. Also nil if there are no events.
  let slack: [Int64?]
  /// For each step of the record, the step whose end let it start, if it waited for one.
  let waitedFor: [(step: Int, reason: HandOver.Kind)?]

  /// The steps of one name that take the largest part of the critical path. Nil if none of them took any time.
  let largest: Family?

  /// The steps of one name on the critical path.
  struct Family {
    let name: String
    let count: Int
    /// The total time of the steps, in nanoseconds.
    let time: Int64
  }

  /// A step of the critical path.
  struct Part {
    /// Its position among the steps of the record.
    let step: Int
    let label: String
    /// Its share of the makespan, in nanoseconds.
    let duration: Int64
    /// Why the step before it let it continue. Nil for the first step.
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
      // Only the record is available.
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

  /// The share of the makespan of a row, in nanoseconds, if the row is a single step of the critical path.
  func share(of row: TimelineRow) -> Int64? {
    guard row.steps.count == 1, row.isCritical else { return nil }
    return shares[row.steps[0]]
  }

  /// A duration as a percentage of the makespan: `57 %`.
  func share(_ duration: Int64) -> String {
    guard record.makespan > 0 else { return "0\u{A0}%" }
    let percent = Double(duration) / Double(record.makespan) * 100
    // Non-breaking spaces keep the parts of the text on one line.
    return percent > 0 && percent < 1
      ? "<\u{A0}1\u{A0}%" : "\(Int(percent.rounded()))\u{A0}%"
  }

  /// The steps that make up the makespan, in a sentence. Nil if no step finished.
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

  /// Where to start in order to shorten the run. Nil if the run failed or nothing took time.
  var advice: String? {
    guard record.outcome == .success, let largest else { return nil }
    let time = Duration.nanoseconds(critical[0].duration).shortDescription
    if critical.count > 1, critical.allSatisfy({ $0.duration == critical[0].duration }) {
      return "Each of the \(critical.count.grouped) steps of the critical path took \(time): "
        + "a shorter step makes the run shorter, and so do more of them at the same time."
    }
    let steps = largest.count == 1 ? "it" : "\(largest.count.grouped) of them one after another"
    return "To make it shorter, start with “\(largest.name)”: \(steps) took "
      + "\(Duration.nanoseconds(largest.time).shortDescription), "
      + "\(share(largest.time)) of the makespan."
  }
}

extension SavedRun {
  /// Where to start in order to shorten the run, in a sentence. Nil if the run failed or nothing took time.
  ///
  /// - Complexity: O(n log n) in the number of events.
  public var advice: String? { PicturedRun(self).advice }
}

extension HandOver.Kind {
  /// The text beside an arrow.
  var words: String {
    switch self {
    case .spawned: "started by it"
    case .dependency: "dependency"
    case .resolvedBy: "resolved by it"
    case .woke: "thread woken"
    case .permit: "permit passed on"
    case .queue: "next in its queue"
    }
  }
}
