extension TimelineRows {
  /// The stretches of steps, in no order. Some of them cover others.
  ///
  /// - Parameter indices: the positions of the steps.
  func stretches(of indices: [Int]) -> [TimelineRow.Stretch] {
    var result: [TimelineRow.Stretch] = []
    // Most steps wait, and then run.
    result.reserveCapacity(2 * indices.count)
    for index in indices { addStretches(of: index, to: &result) }
    return result
  }

  private func addStretches(of index: Int, to result: inout [TimelineRow.Stretch]) {
    let intervals = intervals[index] ?? []
    let end = record.makespan
    // The properties are read one by one: a copy of the step would retain its names.
    let submitted = record.steps[index].submitted
    guard let started = record.steps[index].started else {
      return result.append(.init(kind: .wait, from: submitted, to: max(end, submitted)))
    }
    let finished = record.steps[index].finished ?? max(end, started)
    let first = result.count
    // Before the step started, it waited, except while its start was delayed.
    var waited = submitted
    for delay in intervals where delay.kind == .delay && delay.to <= started {
      if waited < delay.from { result.append(.init(kind: .wait, from: waited, to: delay.from)) }
      waited = delay.to
    }
    if waited < started { result.append(.init(kind: .wait, from: waited, to: started)) }
    if !partsOfStarved.isEmpty, let parts = partsOfStarved[record.steps[index].path] {
      // The step runs while one of its parts runs. In between, it waits for a worker, unless it waits for something
      // else.
      result.append(.init(kind: .wait, from: started, to: finished))
      for part in parts {
        guard let start = part.started else { continue }
        result.append(.init(kind: .run, from: start, to: part.finished ?? finished))
      }
    } else {
      addRuns(of: index, started, finished, to: &result)
    }
    var waits: [(from: Int64, to: Int64)] = []
    for interval in intervals {
      if interval.kind == .delay {
        // A delay of the step's start, or a delay of its end after its last part.
        result.append(Self.stretch(interval))
        if interval.from >= started { waits.append((interval.from, interval.to)) }
        continue
      }
      guard interval.to > started && interval.from < finished else { continue }
      let (from, to) = (max(interval.from, started), min(interval.to, finished))
      if interval.kind != .blocked { waits.append((from, to)) }
      result.append(.init(kind: interval.kind == .blocked ? .blocked : .wait, from: from, to: to))
    }
    guard !waits.isEmpty else { return }
    let cut = result[first...].cuttingRuns(waits)
    result.replaceSubrange(first..., with: cut)
  }

  /// How a step ran: up to its cancellation, and after that, if it kept running.
  private func addRuns(
    of step: Int, _ started: Int64, _ finished: Int64,
    to stretches: inout [TimelineRow.Stretch]
  ) {
    let kind: TimelineRow.Kind = record.steps[step].outcome == .cancelled ? .cancelled : .run
    guard let cancelled = record.steps[step].keptRunning, cancelled < finished else {
      return stretches.append(.init(kind: kind, from: started, to: finished))
    }
    stretches.append(.init(kind: kind, from: started, to: cancelled))
    stretches.append(.init(kind: .keptRunning, from: cancelled, to: finished))
  }

  /// The stretch of a blockage or a delay.
  static func stretch(_ interval: IntervalRecord) -> TimelineRow.Stretch {
    let isDelay = interval.kind == .delay
    var stretch = TimelineRow.Stretch(
      kind: isDelay ? .delay : .blocked, from: interval.from, to: interval.to)
    if isDelay {
      stretch.caption = "delay \(stretch.length.durationText)"
    }
    return stretch
  }
}

extension ArraySlice<TimelineRow.Stretch> {
  /// The stretches without the given times in those in which the step runs, whether or not it was cancelled.
  ///
  /// - Parameter times: ordered by their start.
  /// - Complexity: O(n + r·m) for n stretches, of which r are running, and m times.
  fileprivate func cuttingRuns(_ times: [(from: Int64, to: Int64)]) -> [Element] {
    flatMap { stretch -> [Element] in
      let isCut = [.run, .cancelled, .keptRunning].contains(stretch.kind)
      guard isCut, stretch.length > 0 else { return [stretch] }
      var left: [Element] = []
      var from = stretch.from
      for time in times where time.from < stretch.to {
        if from < time.from { left.append(.init(kind: stretch.kind, from: from, to: time.from)) }
        from = Swift.max(from, time.to)
      }
      if from < stretch.to { left.append(.init(kind: stretch.kind, from: from, to: stretch.to)) }
      return left
    }
  }
}
