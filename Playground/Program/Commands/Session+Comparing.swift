import AsyncPatterns
import TimingTrace

extension Session {
  /// How often each plan runs in a comparison: `runs` times, or else as often as the settings say. Without either, it
  /// runs once on the virtual clock, and often enough for a verdict on the live clock.
  private func repetitions(_ runs: Int?, _ plans: [RunPlan]) -> Int {
    if let runs = runs ?? plans.first?.settings.runs { return runs }
    return plans.first?.settings.clock == .virtual ? 1 : 10
  }

  /// The maximum number of rows whose first difference from the baseline is shown with both runs side by side.
  private static let mostDivergences = 3

  /// Runs the plans in turn, A B C A B C …, and compares their makespans.
  func compare(_ plans: [RunPlan], runs: Int?) async {
    guard let settings = plans.first?.settings else { return }
    let repetitions = repetitions(runs, plans)
    var sides = plans.map {
      Comparison.Side($0.name, [], workers: $0.settings.poolWidth)
    }
    // The first round warms up caches and threads. It does not count.
    let warmUps = settings.clock == .live ? 1 : 0
    let total = (repetitions + warmUps) * plans.count
    let position = Locked((done: 0, name: ""))
    let progress = ProgressLine(on: console, style, cancelledBy: interruption) { time in
      let (done, name) = position.withLock { $0 }
      let share = DoneShare(done: done, total: total).text(after: time)
      return "\(name): run \(done + 1) of \(total), \(share)"
    }
    defer { progress.stop() }
    for round in 0..<(repetitions + warmUps) {
      for (index, var plan) in plans.enumerated() {
        plan.isWarmUp = round < warmUps
        position.withLock { $0.name = plan.name }
        let run = await run(
          plan, isListed: settings.listsCompared && !plan.isWarmUp, showsProgress: false)
        position.withLock { $0.done += 1 }
        guard [.success, .failure].contains(run.record.outcome) else {
          progress.stop()
          let end = run.record.outcome == .cancelled ? "was cancelled" : "did not finish"
          console.say("“\(run.name)” \(end), so there is nothing to compare:")
          show(run)
          return note(run)
        }
        if round == 0, run.record.clock == .virtual { await checkDeterminism(of: run) }
        if isStopped { return }
        if round >= warmUps { sides[index].runs.append(run.record) }
      }
    }
    progress.stop()
    present(Comparison(of: sides, clock: settings.clock, threshold: settings.threshold))
    // As with a single run, the failure does not count if the next expectation expects it.
    if sides.contains(where: { $0.runs.contains { $0.outcome == .failure } }) {
      note(.failed, of: .run)
    }
  }

  /// Compares earlier runs, given by their numbers. Runs of the same name form one sample.
  func compare(runs numbers: [Int]) {
    do {
      let chosen = try numbers.compactMap { try run(numbered: $0) }
      var sides: [Comparison.Side] = []
      // The number becomes part of the name in two cases: all runs share one name, or runs of this name have different
      // scripts.
      let scripts = Dictionary(grouping: chosen, by: \.title).mapValues { Set($0.map(\.script)) }
      for run in chosen {
        let isShared = scripts.count == 1 || scripts[run.title].map { $0.count > 1 } ?? false
        let name = run.title + (isShared ? run.number.map { " (run \($0))" } ?? "" : "")
        if let index = sides.firstIndex(where: { $0.name == name }) {
          sides[index].runs.append(run.record)
        } else {
          sides.append(.init(name, [run.record], workers: run.plan?.settings.poolWidth))
        }
      }
      let isVirtual = chosen.allSatisfy { $0.record.clock == .virtual }
      present(
        Comparison(
          of: sides, clock: isVirtual ? .virtual : .live, threshold: settings.threshold))
    } catch {
      fail(error)
    }
  }

  private func present(_ comparison: Comparison) {
    lastComparison = comparison
    log.add(comparison)
    console.record(comparison.json)
    console.say(comparison.table(style))
    tellMore(of: comparison)
  }

  /// Shows the parts of a comparison that are not in its table.
  func tellMore(of comparison: Comparison) {
    for warning in comparison.warnings { console.complain("warning: \(warning)") }
    let compared = ComparedRuns(costs: comparison.costs, comparison)
    var parts = [comparison.boxPlot(style), compared.text(width: style.textWidth)]
    if comparison.rows.count == 2, let name = comparison.rows.last?.name {
      parts.append(comparison.stepTable(of: name, style))
    }
    let shown = comparison.divergences.prefix(Self.mostDivergences)
    parts += shown.map { named in
      let name = comparison.rows.count == 2 ? "" : "\(named.name): "
      return "\(name)first difference: \(named.divergence.difference.place)\n"
        + named.divergence.text((comparison.rows[0].name, named.name), style)
    }
    for named in comparison.divergences.dropFirst(Self.mostDivergences) {
      parts.append("\(named.name): first difference \(named.divergence.difference.place)")
    }
    let text = parts.compactMap { $0 }.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
    if !text.isEmpty { console.say("\n" + text.joined(separator: "\n")) }
  }
}
