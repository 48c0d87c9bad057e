/// Makes the stretches of the steps of a record. It is an object, because each row refers to it.
final class StepStretches {
  let record: RunRecord
  /// The intervals of each step, by its position.
  private let intervals: [Int: [IntervalRecord]]
  /// The parts of each pattern that was ready and found no worker, by the path of the pattern.
  private let partsOfStarved: [String: [StepRecord]]

  /// - Complexity: O(n) in the number of intervals. If a pattern found no worker, O(n) in the number of steps.
  init(_ record: RunRecord) {
    self.record = record
    intervals = record.intervals.reduce(into: [:]) { intervals, interval in
      if let step = interval.position { intervals[step, default: []].append(interval) }
    }
    partsOfStarved = Self.partsOfStarved(in: record)
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

  /// Calls `body` with each stretch of a step, in no order. Some of them cover others.
  ///
  /// - Parameter index: the position of the step.
  func visit(_ index: Int, _ body: (TimelineRow.Stretch) -> Void) {
    let intervals = intervals.isEmpty ? [] : intervals[index] ?? []
    let end = record.makespan
    // The properties are read one by one: a copy of the step would retain its names.
    let submitted = record.steps[index].submitted
    guard let started = record.steps[index].started else {
      return body(.init(kind: .wait, from: submitted, to: max(end, submitted)))
    }
    let finished = record.steps[index].finished ?? max(end, started)
    // Before the step started, it waited, except while its start was delayed.
    var waited = submitted
    for delay in intervals where delay.kind == .delay && delay.to <= started {
      if waited < delay.from { body(.init(kind: .wait, from: waited, to: delay.from)) }
      waited = delay.to
    }
    if waited < started { body(.init(kind: .wait, from: waited, to: started)) }
    var waits: [(from: Int64, to: Int64)] = []
    for interval in intervals {
      if interval.kind == .delay {
        // A delay of the step's start, or a delay of its end after its last part.
        body(TimelineRow.Stretch(interval))
        if interval.from >= started { waits.append((interval.from, interval.to)) }
        continue
      }
      guard interval.to > started && interval.from < finished else { continue }
      let (from, to) = (max(interval.from, started), min(interval.to, finished))
      if interval.kind != .blocked { waits.append((from, to)) }
      body(.init(kind: interval.kind == .blocked ? .blocked : .wait, from: from, to: to))
    }
    visitRuns(of: index, started, finished) { run in
      if waits.isEmpty { body(run) } else { run.visitParts(outside: waits, body) }
    }
  }

  /// The stretches in which a step runs, whether or not it waits meanwhile.
  private func visitRuns(
    of step: Int, _ started: Int64, _ finished: Int64, _ body: (TimelineRow.Stretch) -> Void
  ) {
    if !partsOfStarved.isEmpty, let parts = partsOfStarved[record.steps[step].path] {
      // The step runs while one of its parts runs. In between, it waits for a worker, unless it waits for something
      // else.
      body(.init(kind: .wait, from: started, to: finished))
      for part in parts {
        guard let start = part.started else { continue }
        body(.init(kind: .run, from: start, to: part.finished ?? finished))
      }
      return
    }
    // It runs up to its cancellation, and after that, if it kept running.
    let kind: TimelineRow.Kind = record.steps[step].outcome == .cancelled ? .cancelled : .run
    guard let cancelled = record.steps[step].keptRunning, cancelled < finished else {
      return body(.init(kind: kind, from: started, to: finished))
    }
    body(.init(kind: kind, from: started, to: cancelled))
    body(.init(kind: .keptRunning, from: cancelled, to: finished))
  }
}

extension TimelineRow.Stretch {
  /// The stretch of a blockage or a delay.
  init(_ interval: IntervalRecord) {
    let isDelay = interval.kind == .delay
    self.init(kind: isDelay ? .delay : .blocked, from: interval.from, to: interval.to)
    if isDelay { caption = "delay \(length.durationText)" }
  }

  /// Visits the parts of the stretch outside the given times if the step runs in it, and otherwise the whole stretch.
  ///
  /// - Parameter times: ordered by their start.
  fileprivate func visitParts(outside times: [(from: Int64, to: Int64)], _ body: (Self) -> Void) {
    let isCut = [.run, .cancelled, .keptRunning].contains(kind)
    guard isCut, length > 0 else { return body(self) }
    var from = from
    for time in times where time.from < to {
      if from < time.from { body(.init(kind: kind, from: from, to: time.from)) }
      from = max(from, time.to)
    }
    if from < to { body(.init(kind: kind, from: from, to: to)) }
  }
}
