import AsyncPatterns
import TimingTrace

extension Session {
  /// How often each is run in a comparison that does not say: on the live clock enough for a verdict.
  private func repetitions(_ runs: Int?, _ plans: [RunPlan]) -> Int {
    if let runs = runs ?? plans.first?.settings.runs { return runs }
    return plans.first?.settings.clock == .virtual ? 1 : 10
  }

  /// Runs the plans in turn, A B C A B C …, and compares their makespans.
  func compare(_ plans: [RunPlan], runs: Int?) async {
    guard let settings = plans.first?.settings else { return }
    let repetitions = repetitions(runs, plans)
    var samples: [[Int64]] = Array(repeating: [], count: plans.count)
    var last: [(name: String, record: RunRecord)] = []
    // The first round warms caches and threads up, and counts for nothing.
    let warmUps = settings.clock == .live ? 1 : 0
    for round in 0..<(repetitions + warmUps) {
      last = []
      for (index, plan) in plans.enumerated() {
        let run = await run(plan)
        if run.record.outcome != .success {
          console.say("“\(run.name)” did not succeed, so there is nothing to compare:")
          show(run)
          return note(run)
        }
        if round == 0, run.record.clock == .virtual { await checkDeterminism(of: run) }
        if isStopped { return }
        last.append((plan.name, run.record))
        if round >= warmUps { samples[index].append(run.record.makespan) }
      }
    }
    let named = zip(plans, samples).map { Sample($0.name, $1) }
    present(Comparison(named, clock: settings.clock, threshold: settings.threshold), last)
  }

  /// Compares runs that were made, by their numbers: runs of one name are its sample.
  func compare(runs numbers: [Int]) {
    do {
      let chosen = try numbers.compactMap { try run(numbered: $0) }
      var names: [String] = []
      var samples: [String: [Int64]] = [:]
      for run in chosen {
        if samples[run.name] == nil { names.append(run.name) }
        samples[run.name, default: []].append(run.record.makespan)
      }
      // Runs of one and the same composition are told apart by their numbers.
      let isOneName = names.count == 1
      let named =
        isOneName
        ? chosen.map { Sample("\($0.name) (run \($0.number))", [$0.record.makespan]) }
        : names.map { Sample($0, samples[$0] ?? []) }
      let isVirtual = chosen.allSatisfy { $0.record.clock == .virtual }
      present(
        Comparison(named, clock: isVirtual ? .virtual : .live, threshold: settings.threshold))
      if isVirtual, chosen.count == 2,
        let place = StructuralDifference.first(between: chosen[0].record, and: chosen[1].record)
      {
        console.say("first difference: \(place)")
      }
    } catch {
      fail(error)
    }
  }

  private func present(
    _ comparison: Comparison, _ runs: [(name: String, record: RunRecord)] = []
  ) {
    lastComparison = comparison
    comparisons.append(comparison)
    console.record(comparison.json)
    console.say(comparison.table(style))
    let compared = ComparedRuns(runs: runs, threshold: comparison.threshold)
    if let text = compared.text(width: style.textWidth) { console.say("\n" + text) }
  }
}
