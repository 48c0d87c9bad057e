internal import AsyncPatterns

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

  /// Of the critical path, what is worth most to make shorter; nil where nothing is, or that is not known.
  let best: Gain?

  /// What half the time of a step, or of all steps of one name, would come to.
  struct Gain {
    let name: String
    /// How many of the name lie on the critical path.
    let count: Int
    /// Of all of them together on the critical path, in nanoseconds.
    let time: Int64
    /// By how much the run would end sooner.
    let saved: Int64
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
    let reading = TraceReading(run.record, run.events)
    guard reading.nodes.count == record.steps.count else {
      // The record is all there is to go by.
      critical = record.steps.enumerated().filter(\.element.isCritical).map { index, step in
        Part(step: index, label: step.label, duration: step.duration ?? 0, reason: nil)
      }
      shares = Self.shares(of: critical)
      slack = Array(repeating: nil, count: record.steps.count)
      waitedFor = Array(repeating: nil, count: record.steps.count)
      best = nil
      return
    }
    let analysis = Analysis(of: run)
    critical = analysis.criticalPath.map { part in
      Part(
        step: part.step, label: run.record.steps[part.step].label, duration: part.time,
        reason: part.handOver?.kind)
    }
    shares = Self.shares(of: critical)
    slack = analysis.slack
    waitedFor = reading.nodes.map { node in
      let causes = reading.path.causes
      guard let cause = causes.end(of: node) ?? causes.last(of: node),
        let step = reading.steps[cause.leaf]
      else { return nil }
      return (step, cause.kind)
    }
    best = Self.best(of: critical, in: reading, eventCount: run.events.count)
  }

  private static func shares(of critical: [Part]) -> [Int: Int64] {
    Dictionary(critical.map { ($0.step, $0.duration) }) { first, _ in first }
  }

  /// How many names are worth trying; those that took longest are.
  private static let mostTried = 8

  /// What of the critical path is worth most to make shorter.
  private static func best(of critical: [Part], in reading: TraceReading, eventCount: Int) -> Gain?
  {
    guard reading.record.outcome == .success, !critical.isEmpty else { return nil }
    var order: [String] = []
    var families: [String: [Part]] = [:]
    for part in critical {
      let name = Folding.stem(of: part.label)
      if families[name] == nil { order.append(name) }
      families[name, default: []].append(part)
    }
    let candidates = order.map { name in
      let parts = families[name] ?? []
      return (
        name: name, parts: parts, time: parts.reduce(Int64(0)) { $0.addingClamped($1.duration) }
      )
    }.sorted { $0.time > $1.time }
    // Whoever makes one of a name shorter makes all of them shorter, also those beside the path.
    let isRepeated = candidates.contains { $0.parts.count > 1 }
    let steps = reading.record.steps
    let leaves =
      isRepeated
      ? Dictionary(grouping: steps.indices.filter { steps[$0].isLeaf }) {
        Folding.stem(of: steps[$0].label)
      } : [:]
    let sooner = reading.sooner(eventCount: eventCount)
    var best: Gain?
    for (name, parts, time) in candidates.prefix(mostTried) where time > 0 {
      // No more than half of what it took can be saved.
      if let best, best.saved >= time / 2 { break }
      let halved = parts.count == 1 ? [parts[0].step] : leaves[name] ?? []
      let saved = min(
        sooner.gain(halving: Set(halved.map { reading.nodes[$0] })), max(time / 2, 0))
      guard saved > best?.saved ?? 0, saved >= reading.record.makespan / 100 else { continue }
      best = Gain(
        name: parts.count == 1 ? parts[0].label : name, count: parts.count, time: time,
        saved: saved)
    }
    return best
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
    guard let best else {
      return
        "No step alone makes it shorter: “\(largest.label)” took longest, \(time), and with half "
        + "of that the run would take as long, because of what goes on beside it."
    }
    let took = Duration.nanoseconds(best.time).shortDescription
    let (who, half) =
      best.count == 1
      ? ("it", "half of that")
      : ("\(best.count.grouped) of them one after another", "half the time for all of them")
    return "To make it shorter, begin with “\(best.name)”: \(who) took \(took), "
      + "\(share(best.time)) of the makespan, and \(half) would save "
      + "\(Duration.nanoseconds(best.saved).shortDescription)."
  }
}

extension SavedRun {
  /// Where somebody who wants the run to be shorter should begin, in a sentence, as its pictures say; nil where
  /// nothing took time, or something else is wrong.
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
