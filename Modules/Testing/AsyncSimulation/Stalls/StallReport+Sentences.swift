import AsyncPatterns

extension StallReport: CustomStringConvertible {
  public var description: String { sentences.joined(separator: "\n") }

  /// Which party waits for which, in whole sentences; empty if it is not known what waits.
  public var sentences: [String] {
    let sentences =
      !isDeadlock
      ? rootSentences
      : cycle.contains(.pool) && report.workers > 1 ? poolSentences : [cycleSentence]
    return sentences.map(\.capitalized)
  }

  // MARK: A deadlock

  private var cycleSentence: String {
    let waiting = cycle.indices.filter { cycle[$0].isWaiter || cycle[$0].isUnstarted }
    var clauses = waiting.prefix(Self.listLimit).map { clause($0) }.joined(separator: "; ")
    if waiting.count > Self.listLimit { clauses += "; and so on" }
    let parties = cycle.filter { $0 != .pool }
    guard parties.allSatisfy({ $0.isNamed(in: self) }),
      let first = cycle.first.flatMap({ name(of: $0) })
    else {
      return clauses + "."
    }
    let chain = chain(of: parties)
    if chain == [first] { return "\(clauses): \(first) waits for itself." }
    return "\(clauses): \((chain + [first]).chained)."
  }

  /// The names of parties that each wait for the next, up to a limit.
  private func chain(of parties: [Party]) -> [String] {
    let limit = 12
    guard parties.count > limit else {
      return parties.compactMap { name(of: $0) }.withoutRepetition
    }
    let left = parties.count - limit + 1
    return parties.prefix(limit - 3).compactMap { name(of: $0) }.withoutRepetition
      + ["\(left) more one after another"]
      + parties.suffix(2).compactMap { name(of: $0) }.withoutRepetition
  }

  /// The clause about a party of the cycle.
  private func clause(_ index: Int) -> String {
    switch cycle[index] {
    case .waiter(let number):
      clause(ofWaiter: number, blocking: cycle[(index + cycle.count - 1) % cycle.count])
    case .unstarted(let number): clause(ofUnstarted: number, before: index)
    case .step, .pool, .hold: ""
    }
  }

  private func clause(ofWaiter index: Int, blocking previous: Party) -> String {
    let waiter = report.waiters[index]
    let name = nameWithKind(waiter.span) ?? "a job"
    switch previous {
    case .unstarted: return "\(waiter.lane.text) is held by \(name), which \(waiter.wait)"
    case .pool: return "\(worker(waiter.lane)) is held by \(name), which \(waiter.wait)"
    case .waiter(let other):
      let wanted = report.waiters[other].semaphore
      return "\(nameOfJob(waiter)) holds semaphore \(wanted) and \(waiter.wait)"
    case .step, .hold: return "\(nameOfJob(waiter)) \(waiter.wait)"
    }
  }

  private func worker(_ lane: Lane) -> String {
    report.workers == 1 ? "the only worker" : lane.text
  }

  private func clause(ofUnstarted index: Int, before position: Int) -> String {
    let job = report.unstartedJobs[index]
    let lane = job.lane
    guard case .waiter(let number)? = cycle[..<position].last(where: \.isWaiter) else {
      return "\(name(ofUnstarted: job) ?? "a job") needs \(lane)"
    }
    let semaphore = report.waiters[number].semaphore
    guard let name = name(ofUnstarted: job) else {
      return "another job, which may be the one to signal it, needs \(lane)"
    }
    return "\(name) needs \(lane), so semaphore \(semaphore) is never signalled"
  }

  /// The sentences about a deadlock in which jobs hold all workers and wait for jobs that need a worker.
  private var poolSentences: [String] {
    let holders = graph.targets(of: .pool)
    var held: [String] = []
    var wanted: [String] = []
    var others: [String] = []
    for holder in holders {
      guard case .waiter(let index) = holder else { continue }
      let waiter = report.waiters[index]
      let path = graph.path(from: holder) { $0.isUnstarted }
      if case .unstarted(let number)? = path?.last, graph.targets(of: .unstarted(number)) == [.pool]
      {
        held.append(nameOfJob(waiter))
        wanted.append(name(ofUnstarted: report.unstartedJobs[number]) ?? "a job")
      } else {
        others.append("\(nameOfJob(waiter)) holds \(waiter.lane.text): it \(waiter.wait).")
      }
    }
    let targets = wanted.uniqued
    var sentence = "all \(report.workers) workers are held: \(held.list) "
    sentence += held.count == 1 ? "waits for " : "wait for "
    sentence += targets.list
    sentence +=
      targets.count == 1 ? ", which needs a worker." : ", each of which needs a worker."
    var sentences = [sentence] + others.prefix(Self.listLimit)
    let rest = report.unstartedJobs.filter { $0.needs == .worker }
      .compactMap { name(ofUnstarted: $0) }.uniqued.filter { !targets.contains($0) }
    if !rest.isEmpty {
      sentences.append("\(rest.list) \(rest.count == 1 ? "waits" : "wait") for a worker, too.")
    }
    return sentences
  }

  // MARK: No deadlock

  private static var listLimit: Int { 5 }

  private var rootSentences: [String] {
    let roots = graph.roots.filter { $0 != .pool }
    var sentences = roots.prefix(Self.listLimit).map { sentence(ofRoot: $0) }
    if roots.count > Self.listLimit {
      sentences.append("\(roots.count - Self.listLimit) more wait for no other step.")
    }
    let waiters = graph.parties.filter { $0.isWaiter && !roots.contains($0) }
    sentences += waiters.prefix(Self.listLimit).compactMap { sentence(from: $0, to: roots) }
    return sentences
  }

  private func sentence(ofRoot root: Party) -> String {
    switch root {
    case .waiter(let index):
      let waiter = report.waiters[index]
      return "\(nameOfJob(waiter)) \(waiter.wait), and nothing is left to signal it."
    case .unstarted(let index):
      let job = report.unstartedJobs[index]
      return
        "\(name(ofUnstarted: job) ?? "a job") needs \(job.lane)."
    case .hold(let index):
      let hold = report.permitHolds[index]
      let name = nameWithKind(hold.span) ?? "a job on \(hold.lane.text)"
      return "\(name) took a permit of semaphore \(hold.semaphore) at \(hold.since) and ended "
        + "without returning it."
    case .step(let span): return sentence(ofStep: span)
    case .pool: return "no worker is free."
    }
  }

  private func sentence(ofStep span: Span) -> String {
    guard let step = steps.step(span) else { return "" }
    let name = nameWithKind(span) ?? ""
    guard let started = step.started else { return "\(name) has not been started." }
    if let wait = report.waitOfTask(span) {
      return "\(name) was started at \(started), and \(wait)."
    }
    if let part = steps.firstUnstartedPart(of: span).flatMap(steps.path) {
      return "\(name) was started at \(started) and does not start “\(part)”."
    }
    if step.hasParts {
      return
        "\(name) was started at \(started) and has not completed, although all of its steps "
        + "have."
    }
    if report.unfinishedAsynchronousBodies.contains(span) {
      return "\(name) was started at \(started), and its asynchronous code has not returned."
    }
    return "\(name) was started at \(started) and holds its completion."
  }

  /// The sentence that says how a waiter waits, directly or indirectly, for one of the roots.
  private func sentence(from waiter: Party, to roots: [Party]) -> String? {
    guard case .waiter(let index) = waiter,
      let path = graph.path(from: waiter, to: { roots.contains($0) })
    else { return nil }
    let names = chain(of: path)
    let thread = report.waiters[index]
    let beginning =
      thread.isOutside
      ? "\(nameOfJob(thread)) \(thread.wait)"
      : "\(thread.lane.text) is held by \(nameWithKind(thread.span) ?? "a job"), which \(thread.wait)"
    return names.count > 1 ? "\(beginning): \(names.chained)." : "\(beginning)."
  }

  // MARK: Names

  fileprivate func name(of party: Party) -> String? {
    switch party {
    case .waiter(let index):
      quoted(report.waiters[index].span).map { $0 + place(report.waiters[index]) }
    case .unstarted(let index): name(ofUnstarted: report.unstartedJobs[index])
    case .step(let span): quoted(span)
    case .hold(let index): quoted(report.permitHolds[index].span)
    case .pool: nil
    }
  }

  /// The step that the job would start, as far as that is known; nil for a job of no step.
  private func name(ofUnstarted job: SimulatedRuntime.UnstartedJob) -> String? {
    guard steps.startedParts(of: job.span).isEmpty,
      let part = steps.firstUnstartedPart(of: job.span)
    else { return quoted(job.span) }
    return quoted(part)
  }

  private func nameOfJob(_ waiter: SimulatedRuntime.Waiter) -> String {
    if let name = nameWithKind(waiter.span) { return name + place(waiter) }
    return waiter.isOutside ? "a thread outside the simulation" : "a job on \(waiter.lane.text)"
  }

  /// The lane of the waiter, if several jobs of the same step wait.
  private func place(_ waiter: SimulatedRuntime.Waiter) -> String {
    stepsOfSeveralWaiters.contains(waiter.span) ? " on \(waiter.lane.text)" : ""
  }

  fileprivate func isStep(_ span: Span) -> Bool { steps.step(span) != nil }
  private func quoted(_ span: Span) -> String? { steps.path(of: span).map { "“\($0)”" } }

  /// The name of a step, with its pattern if the name does not say it.
  private func nameWithKind(_ span: Span) -> String? {
    guard let name = quoted(span) else { return nil }
    guard let step = steps.step(span), step.hasParts, step.kind != step.label else { return name }
    return "\(name) (\(step.kind))"
  }
}

extension StallReport.Party {
  fileprivate var isWaiter: Bool { if case .waiter = self { true } else { false } }
  fileprivate var isUnstarted: Bool { if case .unstarted = self { true } else { false } }
  /// Whether the party belongs to an unfinished step that the events mention.
  fileprivate func isNamed(in stall: StallReport) -> Bool {
    switch self {
    case .waiter(let index): stall.isStep(stall.report.waiters[index].span)
    case .unstarted(let index): stall.isStep(stall.report.unstartedJobs[index].span)
    case .step: true
    case .hold(let index): stall.isStep(stall.report.permitHolds[index].span)
    case .pool: false
    }
  }
}

extension SimulatedRuntime.Waiter {
  /// The clause that says what it waits for.
  fileprivate var wait: String { "has waited for semaphore \(semaphore) since \(since)" }
}

extension String {
  /// The string with a capital letter, unless it starts with the name of a lane.
  fileprivate var capitalized: String {
    hasPrefix("main ") || hasPrefix("worker ") ? self : prefix(1).uppercased() + dropFirst()
  }
}

extension [String] {
  /// The strings as “a waits for b, which waits for c”.
  fileprivate var chained: String {
    guard count > 1 else { return first ?? "" }
    return self[0] + " waits for " + self[1...].joined(separator: ", which waits for ")
  }

  fileprivate var withoutRepetition: [String] {
    reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  fileprivate var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }

  /// The first few strings, and how many more there are: “a, b and c”.
  fileprivate var list: String {
    let limit = 8
    guard count > 1 else { return first ?? "" }
    if count > limit { return prefix(limit).joined(separator: ", ") + " and \(count - limit) more" }
    return dropLast().joined(separator: ", ") + " and " + (last ?? "")
  }
}

extension SimulatedRuntime.UnstartedJob {
  /// The name of the lane that it needs.
  fileprivate var lane: String {
    switch needs {
    case .main: "main"
    case .worker: "a worker"
    case .runLoop: queue.map { "the run loop “\($0)”" } ?? "a run loop"
    }
  }
}
