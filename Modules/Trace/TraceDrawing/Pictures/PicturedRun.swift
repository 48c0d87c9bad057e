/// A run as pictures and reports show it: its record, and further results from its events.
struct PicturedRun {
  let record: RunRecord
  /// The parts of the critical path, the first one first.
  var critical: [CriticalPart] { record.critical }
  /// The same parts, with the delays between them.
  let chain: CriticalChain
  /// For each step on the critical path, its share of the makespan.
  private let shares: [Int: Int64]
  /// For each step of the record, its slack, as in `Analysis`. Also nil if there are no events.
  let slack: [Int64?]
  /// For each step of the record, the step for which it waited last before its start, and why. Nil if it waited for
  /// none.
  let waitedFor: [(step: Int, reason: HandOver.Kind)?]

  /// The steps of one name that take the largest part of the critical path. Nil if none of them took any time.
  let largest: Family?

  /// The steps of one name on the critical path.
  struct Family {
    let name: String
    let steps: Set<Int>
    /// The total time of the steps, in nanoseconds.
    let time: Int64

    var count: Int { steps.count }

    /// Whether the name also stands for a step that is not on the path.
    func names(_ step: StepRecord) -> Bool { count > 1 && Folding.stem(of: step.label) == name }
  }

  init(_ run: SavedRun) {
    record = run.record
    let reading = TraceReading(run)
    if reading.nodes.count == record.steps.count {
      slack = Analysis(reading, workers: run.workers).slack
      waitedFor = reading.nodes.map { node in
        let last = reading.table.waits(of: node).max { $0.until < $1.until }
        return last.flatMap { wait in reading.steps[wait.source].map { ($0, wait.kind) } }
      }
    } else {
      // Only the record is available.
      slack = record.steps.map { _ in nil }
      waitedFor = record.steps.map { _ in nil }
    }
    let critical = record.critical
    chain = CriticalChain(record)
    shares = Dictionary(critical.map { ($0.step, $0.time) }) { $0.addingClamped($1) }
    largest = Self.largest(of: critical, in: record)
  }

  private static func largest(of critical: [CriticalPart], in record: RunRecord) -> Family? {
    let families = Dictionary(grouping: critical) {
      Folding.stem(of: record.steps[$0.step].label)
    }
    .map { name, parts in
      // A task may be on the path several times.
      let steps = Set(parts.map(\.step))
      return Family(
        name: steps.count == 1 ? record.steps[parts[0].step].label : name, steps: steps,
        time: parts.reduce(Int64(0)) { $0.addingClamped($1.time) })
    }
    let largest = families.max { ($0.time, $1.name) < ($1.time, $0.name) }
    return largest.flatMap { $0.time > 0 ? $0 : nil }
  }

  /// The row's share of the makespan, in nanoseconds, if the row is a single step of the critical path.
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
    let count = chain.count
    guard count > 0 else { return nil }
    let shown = count > 6 ? Array(chain.prefix(3)) + Array(chain.suffix(2)) : Array(chain)
    var parts = zip(shown, chain.names(of: shown)).map { item, name in
      name + (item.part == nil ? "" : " \(item.time.durationText)")
        + (count > 1 && count <= 6 ? " (\(share(item.time)))" : "")
    }
    if count > 6 { parts.insert("(\((count - 5).grouped) more)", at: 3) }
    return "Critical path: " + parts.joined(separator: " → ")
  }

  /// Where to start in order to shorten the run. Nil if the run did not succeed, or if nothing took time.
  var advice: String? {
    guard record.outcome == .success, let largest else { return nil }
    let time = critical[0].time.durationText
    if critical.count > 1, critical.allSatisfy({ $0.time == critical[0].time }) {
      return "Each of the \(critical.count.grouped) steps of the critical path took \(time): "
        + "a shorter step makes the run shorter, and so does running more of them at the same time."
        + rivalSentence
    }
    let steps = largest.count == 1 ? "it" : "\(largest.count.grouped) of them one after another"
    return "To make it shorter, start with “\(largest.name)”: \(steps) took "
      + "\(largest.time.durationText), "
      + "\(share(largest.time)) of the makespan."
      + rivalSentence
  }

  /// Names a step that keeps the run as long even if the largest ones become shorter. Empty if there is none.
  private var rivalSentence: String {
    guard let largest else { return "" }
    // In time order, so that the search below is fast in runs with many steps.
    let parts = critical.filter { largest.steps.contains($0.step) }
    let rivals = record.steps.indices.filter { index in
      let step = record.steps[index]
      guard step.isLeaf, !step.isCritical, !largest.names(step), let slack = slack[index],
        slack <= record.makespan / 100, let started = step.started, let finished = step.finished
      else { return false }
      let next = parts.firstIndexBeyond { $0.to > started }
      return next < parts.count && parts[next].from < finished
    }
    guard let rival = rivals.min(by: { (slack[$0] ?? 0, $0) < (slack[$1] ?? 0, $1) }) else {
      return ""
    }
    let time = slack[rival] ?? 0
    return " “\(record.steps[rival].label)” must become shorter, too: "
      + "it has \(time == 0 ? "no slack" : "only \(time.durationText) of slack")."
  }
}

extension SavedRun {
  /// Where to start in order to shorten the run, in a sentence. Nil if the run did not succeed, or if nothing took
  /// time.
  ///
  /// - Complexity: O(n log n) in the number of events.
  public var advice: String? { PicturedRun(self).advice }
}
