import AsyncPatterns
import TimingTrace

extension Session {
  /// How often each plan runs in a comparison that does not specify it: on the live clock, enough for a verdict.
  private func repetitions(_ runs: Int?, _ plans: [RunPlan]) -> Int {
    if let runs = runs ?? plans.first?.settings.runs { return runs }
    return plans.first?.settings.clock == .virtual ? 1 : 10
  }

  /// Runs the plans in turn, A B C A B C …, and compares their makespans.
  func compare(_ plans: [RunPlan], runs: Int?) async {
    guard let settings = plans.first?.settings else { return }
    let repetitions = repetitions(runs, plans)
    var sides = plans.map {
      Comparison.Side($0.name, [], workers: $0.settings.poolWidth)
    }
    // The first round warms up caches and threads. It does not count.
    let warmUps = settings.clock == .live ? 1 : 0
    for round in 0..<(repetitions + warmUps) {
      for (index, var plan) in plans.enumerated() {
        plan.isWarmUp = round < warmUps
        let run = await run(plan)
        if run.record.outcome != .success {
          let end = run.record.outcome == .cancelled ? "was cancelled" : "did not succeed"
          console.say("“\(run.name)” \(end), so there is nothing to compare:")
          show(run)
          return note(run)
        }
        if round == 0, run.record.clock == .virtual { await checkDeterminism(of: run) }
        if isStopped { return }
        if round >= warmUps { sides[index].runs.append(run.record) }
      }
    }
    present(Comparison(of: sides, clock: settings.clock, threshold: settings.threshold))
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
        let name = isShared ? "\(run.title) (run \(run.number))" : run.title
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

  /// Shows what a comparison contains beside its table.
  func tellMore(of comparison: Comparison) {
    for warning in comparison.warnings { console.complain("warning: \(warning)") }
    let compared = ComparedRuns(costs: comparison.costs, comparison)
    var parts = [comparison.boxPlot(style), compared.text(width: style.textWidth)]
    // Only two runs fit side by side.
    if comparison.rows.count == 2, let name = comparison.rows.last?.name {
      parts.append(comparison.stepTable(of: name, style))
      parts += comparison.divergences.map { named in
        "first difference: \(named.divergence.difference.place)\n"
          + named.divergence.text((comparison.rows[0].name, name), style)
      }
    } else if !comparison.divergences.isEmpty {
      let lines = comparison.divergences.map { named in
        "\(named.name): first difference \(named.divergence.difference.place)"
      }
      parts.append(
        lines.joined(separator: "\n")
          + "\ncompare “\(comparison.rows[0].name)” with one of them alone to see the two side by side"
      )
    }
    let text = parts.compactMap { $0 }.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
    if !text.isEmpty { console.say("\n" + text.joined(separator: "\n")) }
  }
}
