extension RunRecord {
  /// The steps that match a label or a path, each with its parts as a run of its own. The new run starts when the step
  /// was submitted. A label may mean numbered steps, as `page` means `page-1` and so on. Numbered steps with the same
  /// parent and name form one run.
  ///
  /// The record of the new run contains what the whole record says about these steps. The makespan is that of the step,
  /// including stragglers among its parts. Work and blocked time are those of its steps. The new record has no events.
  ///
  /// - Complexity: O(n log n) in the number of steps, for each matching step.
  public func opened(at path: String) -> [RunRecord] {
    let path = StepPath(path)
    let meant = path.meant(in: steps)
    if meant.contains(where: { path.matches(steps[$0].path) }) {
      return meant.map { opened([$0], name: steps[$0].path) }
    }
    let families = Dictionary(grouping: meant) { Folding.stem(of: steps[$0].path) }
    return families.values.sorted { $0[0] < $1[0] }.map { family in
      opened(family, name: Folding.stem(of: steps[family[0]].path))
    }
  }

  /// - Parameter tops: the positions of the steps, in ascending order. None of these steps may be a part of another.
  private func opened(_ tops: [Int], name: String) -> RunRecord {
    var inside: [Int] = []
    for top in tops {
      // Parts follow their pattern.
      var isInside = Set([top])
      inside.append(top)
      for index in steps.indices.dropFirst(top + 1) {
        guard let parent = steps[index].parent, isInside.contains(parent) else {
          if steps[index].parent.map({ $0 < top }) ?? true { break }
          continue
        }
        isInside.insert(index)
        inside.append(index)
      }
    }
    let begin = tops.lazy.map { steps[$0].submitted }.min() ?? 0
    let end =
      inside.lazy.map { steps[$0].finished ?? (steps[$0].started == nil ? begin : makespan) }
      .max() ?? begin
    let paths = Set(inside.lazy.map { steps[$0].path })
    // If there are several steps, the first one that did not succeed represents them.
    let first = steps[tops.first { steps[$0].outcome != .success } ?? tops[0]]
    func position(_ step: Int) -> Int? {
      let position = inside.firstIndexBeyond { $0 >= step }
      return position < inside.count && inside[position] == step ? position : nil
    }
    var part = RunRecord(
      name: name, pattern: first.pattern, clock: clock, seed: seed,
      outcome: Outcome(rawValue: first.outcome.rawValue) ?? .cancelled)
    part.error = first.error
    part.makespan = end.subtractingClamped(begin)
    part.isIncomplete = isIncomplete
    part.causesAreInferred = causesAreInferred
    part.steps = inside.map { index in
      var step = steps[index]
      step.submitted = step.submitted.subtractingClamped(begin)
      step.started = step.started?.subtractingClamped(begin)
      step.finished = step.finished?.subtractingClamped(begin)
      step.cancelled = step.cancelled?.subtractingClamped(begin)
      step.timedOut = step.timedOut?.subtractingClamped(begin)
      step.keptRunning = step.keptRunning?.subtractingClamped(begin)
      step.parent = step.parent.flatMap(position)
      return step
    }
    part.work = part.steps.reduce(0) { $0.addingClamped($1.work) }
    part.intervals = intervals.compactMap { interval in
      guard let step = interval.position.flatMap(position) else { return nil }
      var interval = interval
      interval.position = step
      interval.from = interval.from.subtractingClamped(begin)
      interval.to = interval.to.subtractingClamped(begin)
      return interval
    }
    part.blocked = part.intervals.lazy.filter { $0.kind == .blocked }.reduce(0) {
      $0.addingClamped($1.to.subtractingClamped($1.from))
    }
    part.counters = counters.filter { paths.contains($0.step) }.map { counter in
      var counter = counter
      for index in counter.points.indices {
        counter.points[index].time = counter.points[index].time.subtractingClamped(begin)
      }
      return counter
    }
    part.threads = Set(part.steps.compactMap(\.lane) + part.intervals.map(\.lane)).count
    let path = critical
    let parts = path.indices.compactMap { index -> CriticalPart? in
      guard let step = position(path[index].step) else { return nil }
      var part = CriticalPart(
        step: step, from: path[index].from.subtractingClamped(begin),
        to: path[index].to.subtractingClamped(begin))
      if let cause = path[index].cause, let source = path.source(of: index).flatMap(position) {
        part.cause = .init(
          kind: cause.kind, source: source, waiter: cause.waiter.flatMap(position),
          before: cause.before)
      }
      return part
    }
    let delays = criticalDelays.compactMap { delay in
      delay.pattern.flatMap(position).map { pattern in
        CriticalDelay(
          pattern: pattern, from: delay.from.subtractingClamped(begin),
          to: delay.to.subtractingClamped(begin))
      }
    }
    part.derived.value = Derivation(table: nil, critical: parts, delays: delays)
    part.criticalPath = part.critical.map { part.steps[$0.step].label }
    let names = paths.union(part.steps.lazy.map(\.label))
    part.edges = edges.filter { names.contains($0.from) && names.contains($0.to) }
    part.lints = lints.compactMap { $0.restricted(to: paths, since: begin) }
    // Steps that take no time are in flight one at a time.
    let hasStarted = part.steps.contains { $0.isLeaf && $0.started != nil }
    part.maxConcurrency = max(ConcurrencyCurve(part.steps).largest, hasStarted ? 1 : 0)
    return part
  }
}
