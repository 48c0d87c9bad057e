/// A row of a timeline: one step, or several steps of one kind folded into one.
struct TimelineRow {
  var label: String
  var depth: Int
  var isCritical: Bool
  var state: StepRecord.Outcome
  /// The text on the right.
  var note: String
  var stretches: [Stretch]
  /// The positions of its steps in the record; none for the run's own step.
  var steps: [Int] = []

  struct Stretch {
    var kind: Kind
    var from: Int64
    var to: Int64
    /// The text inside the stretch, if there is room.
    var caption: String?

    var length: Int64 { to.subtractingClamped(from) }
  }

  enum Kind: Int, CaseIterable { case wait, run, blocked }
}

/// The rows of a record, folded so that they fit.
struct TimelineRows {
  var rows: [TimelineRow] = []
  /// A text about the steps that no row shows. Nil if there are none.
  var leftOut: String?
  /// The name of each kind of stretch.
  var words: [TimelineRow.Kind: String] = [
    .wait: "wait", .run: "run", .blocked: "thread blocked",
  ]

  private let record: RunRecord
  private let isUnderWay: Bool
  private var depths: [Int] = []
  private let intervals: [String: [IntervalRecord]]
  /// The parts of each pattern that was ready and found no worker, by the path of the pattern.
  private let partsOfStarved: [String: [StepRecord]]

  /// Makes an instance without rows.
  init(empty record: RunRecord) {
    self.record = record
    isUnderWay = false
    intervals = [:]
    partsOfStarved = [:]
  }

  /// - Parameters:
  ///   - height: the maximum number of rows.
  ///   - isOpened: whether steps without a parent have separate rows, as far as there is room.
  init(_ record: RunRecord, height: Int, isUnderWay: Bool = false, isOpened: Bool = false) {
    self.record = record
    self.isUnderWay = isUnderWay
    intervals = Dictionary(grouping: record.intervals, by: \.step)
    partsOfStarved = Self.partsOfStarved(in: record)
    depths = record.steps.reduce(into: []) { depths, step in
      depths.append(step.parent.map { depths[$0] + 1 } ?? 0)
    }
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
    guard left > 0 else { return }
    leftOut =
      "\(left.grouped) more \(left == 1 ? "step" : "steps")"
      + (criticalLeft > 0 ? ", \(criticalLeft.grouped) of them on the critical path" : "")
  }

  /// Adds a row for the run's own step, which is no step of the record. It shows what the step did besides its parts:
  /// it blocked a thread, or it recorded the values of a counter.
  private mutating func addRoot() {
    let paths = Set(record.steps.lazy.map(\.path))
    var stretches: [String: [TimelineRow.Stretch]] = [:]
    // The row runs from the first value to the last, over all counters of the step. Counters without a step, as in
    // traces of other programs, give no row.
    for counter in record.counters where !counter.step.isEmpty && !paths.contains(counter.step) {
      guard let first = counter.points.first, let last = counter.points.last else { continue }
      let known = stretches[counter.step]?.first
      stretches[counter.step] = [
        .init(
          kind: .run, from: min(first.time, known?.from ?? first.time),
          to: max(last.time, known?.to ?? last.time))
      ]
    }
    for interval in record.intervals
    where interval.kind == .blocked && !paths.contains(interval.step) {
      stretches[interval.step, default: []].append(
        .init(kind: .blocked, from: interval.from, to: interval.to))
    }
    for (step, stretches) in stretches.sorted(by: { $0.key < $1.key }) {
      let blocked = stretches.filter { $0.kind == .blocked }
      let total =
        blocked.isEmpty
        ? stretches.lazy.map(\.length).max() ?? 0
        : blocked.reduce(0) { $0.addingClamped($1.length) }
      rows.append(
        TimelineRow(
          label: step.isEmpty ? "?" : step, depth: 0, isCritical: false, state: .success,
          note: Duration.nanoseconds(total).shortDescription, stretches: stretches))
    }
  }

  private func row(_ index: Int) -> TimelineRow {
    let step = record.steps[index]
    return TimelineRow(
      label: step.label, depth: depths[index], isCritical: step.isCritical && !isUnderWay,
      state: step.outcome, note: step.note(end: record.makespan, isUnderWay: isUnderWay),
      stretches: stretches(of: step), steps: [index])
  }

  private func row(folded item: Folding.Item, isCritical: Bool) -> TimelineRow {
    let steps = item.members.map { record.steps[$0] }
    var note = "-"
    let durations = steps.compactMap(\.duration).sorted()
    if let last = durations.last {
      let median = Duration.nanoseconds(durations[durations.count / 2]).shortDescription
      let longest = Duration.nanoseconds(last).shortDescription
      note = median == longest ? "each \(median)" : "p50 \(median) max \(longest)"
    }
    let state = steps.contains { $0.outcome == .failure } ? StepRecord.Outcome.failure : .success
    return TimelineRow(
      label: "\(item.name) × \(item.members.count.grouped)", depth: depths[item.members[0]],
      isCritical: isCritical && !isUnderWay, state: state, note: note,
      stretches: steps.flatMap(stretches), steps: item.members)
  }

  private static func partsOfStarved(in record: RunRecord) -> [String: [StepRecord]] {
    let starved = Set(record.lints.lazy.filter { $0.rule == "starvation" }.flatMap(\.steps))
    guard !starved.isEmpty else { return [:] }
    return Dictionary(
      grouping: record.steps.filter { step in
        step.parent.map { starved.contains(record.steps[$0].path) } ?? false
      }
    ) { step in step.parent.map { record.steps[$0].path } ?? "" }
  }

  private func stretches(of step: StepRecord) -> [TimelineRow.Stretch] {
    let end = record.makespan
    guard let started = step.started else {
      return [.init(kind: .wait, from: step.submitted, to: max(end, step.submitted))]
    }
    let finished = step.finished ?? max(end, started)
    var result: [TimelineRow.Stretch] = []
    if started > step.submitted {
      result.append(.init(kind: .wait, from: step.submitted, to: started))
    }
    if let parts = partsOfStarved[step.path] {
      // The step runs while one of its parts runs. In between it waits, at least for a worker.
      result.append(.init(kind: .wait, from: started, to: finished))
      for part in parts {
        guard let start = part.started else { continue }
        result.append(.init(kind: .run, from: start, to: part.finished ?? finished))
      }
    } else {
      result.append(.init(kind: .run, from: started, to: finished))
    }
    var waits: [(from: Int64, to: Int64)] = []
    for interval in intervals[step.path] ?? []
    where interval.to > started && interval.from < finished {
      let (from, to) = (max(interval.from, started), min(interval.to, finished))
      if interval.kind != .blocked { waits.append((from, to)) }
      result.append(.init(kind: interval.kind == .blocked ? .blocked : .wait, from: from, to: to))
    }
    if !waits.isEmpty { result.cutRuns(waits) }
    return result
  }
}

extension [TimelineRow.Stretch] {
  /// Removes times from the running stretches.
  ///
  /// - Parameter times: ordered by their start.
  /// - Complexity: O(n + m), for each running stretch.
  fileprivate mutating func cutRuns(_ times: [(from: Int64, to: Int64)]) {
    self = flatMap { stretch -> [Element] in
      guard stretch.kind == .run else { return [stretch] }
      var left: [Element] = []
      var from = stretch.from
      for time in times where time.from < stretch.to {
        if from < time.from { left.append(.init(kind: .run, from: from, to: time.from)) }
        from = Swift.max(from, time.to)
      }
      if from < stretch.to || stretch.length == 0 {
        left.append(.init(kind: .run, from: from, to: Swift.max(stretch.to, from)))
      }
      return left
    }
  }
}

extension StepRecord {
  fileprivate func note(end: Int64, isUnderWay: Bool) -> String {
    let text = Duration.nanoseconds(duration ?? started.map { end.subtractingClamped($0) } ?? 0)
      .shortDescription
    return switch outcome {
    case .success: text
    case .failure: "\(text) failed"
    case .cancelled: started == nil ? "cancelled" : "\(text) cancelled"
    case .unfinished:
      waitsFor.map { "\(text), waits for \($0)" }
        ?? (isUnderWay ? "\(text) so far" : "\(text) unfinished")
    case .skipped: "skipped"
    case .waiting: isUnderWay ? "" : "waiting"
    }
  }
}
