/// The rows of a record, folded so that they fit.
struct TimelineRows {
  var rows: [TimelineRow] = []
  /// A text about the steps that no row shows. Nil if there are none.
  var leftOut: String?
  /// Whether several steps are folded into one row.
  var isFolded: Bool { rows.contains { $0.steps.count > 1 } }
  /// The arrows along the critical path.
  private(set) var arrows: [RowArrow] = []
  /// The name of each kind of stretch.
  var words: [TimelineRow.Kind: String] = [
    .wait: "wait", .delay: "delay", .run: "run", .cancelled: "cancelled",
    .keptRunning: "keeps running", .blocked: "thread blocked",
  ]

  let record: RunRecord
  private let isUnderWay: Bool
  private let stretches: StepStretches

  /// Makes an instance without rows.
  init(empty record: RunRecord) {
    self.record = record
    isUnderWay = false
    stretches = StepStretches(record)
  }

  /// - Parameters:
  ///   - height: the maximum number of rows.
  ///   - isOpened: whether steps without a parent have separate rows, as far as there is room.
  ///   - findings: how many findings are marked.
  init(
    _ record: RunRecord, height: Int, isUnderWay: Bool = false, isOpened: Bool = false,
    findings: Int = 0
  ) {
    self.record = record
    self.isUnderWay = isUnderWay
    stretches = StepStretches(record)
    addRoot()
    let room = max(height - rows.count, 0)
    let items = Folding(record.steps, room: max(room, 1), keepsTop: isOpened).items
    let choice = RowChoice(record)
    var (left, criticalLeft) = (0, 0)
    for (item, isKept) in zip(items, choice.kept(of: items, room: room)) {
      let critical = choice.criticalCount(of: item)
      if isKept {
        rows.append(
          item.members.count == 1
            ? row(item.members[0]) : row(folded: item, isCritical: critical > 0))
      } else {
        left += item.members.count + item.hidden
        criticalLeft += critical
      }
    }
    if !isUnderWay { arrows = makeArrows() }
    markFindings(findings)
    guard left > 0 else { return }
    leftOut =
      "\(left.grouped) more \(left == 1 ? "step" : "steps")"
      + (criticalLeft > 0 ? ", \(criticalLeft.grouped) of them on the critical path" : "")
  }

  /// Adds a row for the run's own step, which is not a step of the record. It shows what the step did besides its
  /// parts: it blocked a thread, delayed its end, or recorded the values of a counter.
  private mutating func addRoot() {
    var stretches: [String: [TimelineRow.Stretch]] = [:]
    // The row runs from the first value to the last, over all counters of the step. Counters without a step, as in
    // traces of other programs, give no row.
    let counters = record.counters.filter { !$0.step.isEmpty }
    var withoutStep = Set(counters.map(\.step))
    if !withoutStep.isEmpty { for step in record.steps { withoutStep.remove(step.path) } }
    for counter in counters where withoutStep.contains(counter.step) {
      guard let first = counter.points.first, let last = counter.points.last else { continue }
      let known = stretches[counter.step]?.first
      stretches[counter.step] = [
        .init(
          kind: .run, from: min(first.time, known?.from ?? first.time),
          to: max(last.time, known?.to ?? last.time))
      ]
    }
    for interval in record.intervals where interval.position == nil {
      guard interval.kind == .blocked || interval.kind == .delay else { continue }
      stretches[interval.step, default: []].append(.init(interval))
    }
    for (step, stretches) in stretches.sorted(by: { $0.key < $1.key }) {
      let special = stretches.filter { $0.kind != .run }
      let total =
        special.isEmpty
        ? stretches.lazy.map(\.length).max() ?? 0
        : special.reduce(0) { $0.addingClamped($1.length) }
      // The delay of its end after its last part is the last part of the critical path.
      let delaysEnd = special.contains { $0.kind == .delay && $0.to >= record.makespan }
      rows.append(
        TimelineRow(
          label: step.isEmpty ? "?" : step, depth: 0, isCritical: delaysEnd && !isUnderWay,
          state: .success,
          note: total.durationText, stretches: RowStretches(stretches)))
    }
  }

  /// The number of patterns around a step, up to a limit: only invented runs nest deeper.
  private func depth(of step: Int) -> Int {
    var (depth, parent) = (0, record.steps[step].parent)
    while let pattern = parent, depth < Self.deepest {
      (depth, parent) = (depth + 1, record.steps[pattern].parent)
    }
    return depth
  }

  private static let deepest = 256

  private func row(_ index: Int) -> TimelineRow {
    let step = record.steps[index]
    return TimelineRow(
      label: step.numberedLabel, depth: depth(of: index),
      isCritical: step.isCritical && !isUnderWay,
      state: step.outcome,
      note: step.note(end: record.makespan, isUnderWay: isUnderWay),
      stretches: RowStretches(of: [index], in: stretches), steps: [index],
      marks: step.timedOut.map { [.init(kind: .timeout, time: $0)] } ?? [])
  }

  private func row(folded item: Folding.Item, isCritical: Bool) -> TimelineRow {
    let hasFailed = item.members.contains { record.steps[$0].outcome == .failure }
    return TimelineRow(
      label: "\(item.name) × \(item.members.count.grouped)", depth: depth(of: item.members[0]),
      isCritical: isCritical && !isUnderWay, state: hasFailed ? .failure : .success,
      note: note(of: item.members), stretches: RowStretches(of: item.members, in: stretches),
      steps: item.members,
      marks: Set(item.members.compactMap { record.steps[$0].timedOut }).sorted().map {
        .init(kind: .timeout, time: $0)
      })
  }

  /// How long the steps took, and how many of them did not succeed. There is no room for both these numbers and the
  /// longest time.
  private func note(of members: StepPositions) -> String {
    // The times one by one, since a call of `duration` would copy the whole step.
    var durations: [Int64] = []
    durations.reserveCapacity(members.count)
    for step in members {
      guard let start = record.steps[step].started, let end = record.steps[step].finished else {
        continue
      }
      durations.append(end.subtractingClamped(start))
    }
    let fates = members.reduce(into: [StepRecord.Fate: Int]()) { counts, step in
      guard record.steps[step].outcome != .success,
        let fate = record.steps[step].fate(isUnderWay: isUnderWay)
      else { return }
      counts[fate, default: 0] += 1
    }
    var parts = StepRecord.Fate.allCases.compactMap { fate in
      fates[fate].map { "\($0.grouped) \(fate.rawValue)" }
    }
    if let longest = durations.max()?.durationText {
      let median = durations.select(Distribution.rank(50, of: durations.count)).durationText
      let spread = parts.isEmpty ? "p50 \(median) max \(longest)" : "p50 \(median)"
      parts.insert(median == longest ? "each \(median)" : spread, at: 0)
    }
    return parts.isEmpty ? "-" : parts.joined(separator: ", ")
  }
}
