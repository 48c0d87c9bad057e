/// Derives the findings of a run from its events: definite and probable faults.
struct Lints {
  var all: [LintRecord] { families.all }

  private var families = LintFamilies()

  let table: SpanTable
  private let layout: StepLayout
  private let isIncomplete: Bool
  private let end: Int64

  /// - Parameters:
  ///   - end: when the run ended.
  ///   - isIncomplete: whether the recording may be incomplete. Then a missing event is not a fault.
  ///   - causesAreInferred: whether the causes of starts and ends were inferred. Then `awaitsAll` is inferred, too, and
  ///     is no promise. So no early notification is reported.
  init(
    _ table: SpanTable, _ layout: StepLayout, _ second: SecondCompletions, end: Int64,
    isIncomplete: Bool = false, causesAreInferred: Bool = false
  ) {
    self.table = table
    self.layout = layout
    self.isIncomplete = isIncomplete
    self.end = end
    let consequences = Dictionary(grouping: second.effects, by: \.culprit)
    for misuse in table.misuses {
      let message =
        switch misuse.rule {
        case "starvation": starvation(misuse)
        case "completed-twice":
          misuse.detail + consequence(misuse.node.flatMap { consequences[$0] } ?? [])
        default: misuse.detail
        }
      let waiting = misuse.rule == "starvation" ? misuse.node : nil
      let time = waiting.map { table.submitTime(of: $0) } ?? misuse.time
      add(misuse.rule, misuse.node, message, at: time)
    }
    for effect in second.effects { addOverlap(effect) }
    let commitFaults = table.commitFaults
    for fault in commitFaults where !isIncomplete || !fault.mayBeToCome { addCommitFault(fault) }
    for fault in table.displayFaults { addDisplayFault(fault) }
    for end in table.lateEnds { addLateEnd(end) }
    for inversion in table.priorityInversions { addInversion(inversion) }
    if let explosion = table.threadExplosion { addExplosion(explosion) }
    for fault in table.taskFaults { addTaskFault(fault) }
    if !causesAreInferred {
      addEarlyNotifications(explained: Set(second.effects.compactMap(\.result.ended)))
    }
    let unfinished = unfinished
    let awaited = awaited(unfinished)
    let blockages = table.blocking.intervals.reduce(into: [Int: Int64]()) { times, interval in
      guard let node = interval.node else { return }
      times[node] = min(times[node] ?? .max, interval.from)
    }
    for index in table.nodes.indices where hasBlocked(index) {
      addBlockedThread(index, awaited[index] ?? [], at: blockages[index])
    }
    // The findings for commits already explain why these patterns wait forever.
    let explained = Set(commitFaults.compactMap { table.nodes[$0.step].parent })
    for index in unfinished where !isIncomplete && !explained.contains(index) {
      if addLostTask(index) { continue }
      add(
        "never-completed", index,
        "\(name(of: index)) started and had not completed when the run ended; "
          + "call its completion on every path, or limit the wait with a timeout")
    }
  }

  /// - Parameters:
  ///   - time: when it happened. By default, when the step ended.
  ///   - isFinal: whether the fault lasts until the end of the run.
  mutating func add(
    _ rule: String, _ node: Int?, _ message: String, at time: Int64? = nil, isFinal: Bool = false
  ) {
    let time = time ?? node.flatMap { table.finishTime(of: $0) } ?? end
    families.add(
      LintRecord(
        rule: rule, step: layout.path(of: node), message: message, times: [layout.relative(time)]),
      kind: node.map { table.kind(of: $0) } ?? "", isFinal: isFinal)
  }

  func name(of node: Int) -> String { "“\(table.label(of: node))”" }

  /// The first few names, and the number of the rest.
  private func list(_ names: [String]) -> String {
    let shown = 4
    var names = names
    if names.count > shown { names[shown...] = ["\(names.count - shown) more"] }
    let last = names.popLast() ?? ""
    return names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
  }

  /// The message of a starvation finding: which node waited, and what blocked it.
  private func starvation(_ misuse: SpanTable.Misuse) -> String {
    let message = "\(misuse.node.map(name) ?? "a job") \(misuse.detail)"
    guard !misuse.blockers.isEmpty else { return message }
    let blockers = list(misuse.blockers.map { "“\(layout.path(of: $0))”" })
    return "\(message), by \(blockers); let those steps wait without a thread"
  }

  // MARK: Second completions

  private static let countOnce = "count only the first completion of each step, as serial does"

  /// The effect that the second completion had on the pattern.
  private func consequence(_ effects: [SecondCompletions.Effect]) -> String {
    guard let first = effects.first else { return "" }
    let taken = "; the pattern took that for the end of \(name(of: first.running)) and"
    return switch first.result {
    case .started(let step, wasWoken: true): "\(taken) started \(name(of: step))"
    case .started(let step, wasWoken: false):
      "; the pattern continued from there a second time and started \(name(of: step))"
    case .ended: "\(taken) completed"
    }
  }

  private mutating func addOverlap(_ effect: SecondCompletions.Effect) {
    let (running, culprit) = (name(of: effect.running), name(of: effect.culprit))
    switch effect.result {
    case .started(let step, _):
      let name = name(of: step)
      let what =
        name == running ? "again while it still ran" : "while \(running) still ran"
      add(
        "overlap", step,
        "\(name) started \(what), because \(culprit) had completed twice; \(Lints.countOnce)")
    case .ended(let pattern):
      add(
        "early-notification", pattern,
        "\(name(of: pattern)) completed while \(running) still ran, because \(culprit) had "
          + "completed twice; \(Lints.countOnce)")
    }
  }

  // MARK: Commits

  private mutating func addCommitFault(_ fault: CommitFault) {
    let name = name(of: fault.step)
    let lane = table.lanes.name(of: fault.commit.lane)
    func time(_ nanoseconds: Int64) -> String {
      (nanoseconds - table.firstEvent).durationText
    }
    let start = "\(name) was committed on \(lane) at \(time(fault.commit.time))"
    let fix = "wake the loop for the first commit, as transaction does"
    switch fault.kind {
    case .neverFlushed(let cancelledAfter):
      let wait = cancelledAfter.map(\.durationText)
      add(
        "lost-wakeup", fault.step,
        "\(start), and nothing woke the run loop for it: it "
          + (wait.map { "was cancelled after \($0), before the loop took a turn" }
            ?? "waits for a turn that never comes") + "; \(fix)")
    case .late(let nanoseconds):
      let wait = nanoseconds.durationText
      add(
        "lost-wakeup", fault.step,
        "\(start), and waited \(wait), until another event made the run loop take a turn; \(fix)"
      )
    case .lost(let flush):
      add(
        "lost-commit", fault.step,
        "\(start), and was missing from the set that was flushed at \(time(flush)): another lane "
          + "changed the set at the same time; guard it with a lock, as transaction does")
    }
  }

  // MARK: Displays

  private mutating func addDisplayFault(_ fault: DisplayFault) {
    let name = name(of: fault.pattern)
    switch fault.kind {
    case .missingEnds(let displays):
      let starts = displays.map { "“\($0.label)” at \(($0.time - table.firstEvent).durationText)" }
      add(
        "missing-did-display", fault.pattern,
        "\(name) called willDisplay for \(list(starts)), and never didDisplay: a drawing that was "
          + "cancelled in its queue ended without a notification, and code that waits for it waits "
          + "forever; call didDisplay exactly once for each willDisplay on every path, as render "
          + "does")
    case .wasted(let wasted, let total, let cancelled, let drawings):
      add(
        "wasted-drawing", fault.pattern,
        "\(name) drew for \(total.durationText), and \(wasted.durationText) of that was wasted: of \(drawings) "
          + "drawings that started, \(cancelled) were cancelled by a change; request displays less "
          + "often than a drawing takes, or let the drawing in progress be shown, as policy: "
          + "finish-then-latest does")
    case .drawnAfterRelease(let displays, let wasted, let since):
      add(
        "wasted-drawing", fault.pattern,
        "\(name) drew \(list(displays.map { "“\($0.label)”" })) to the end, \(wasted.durationText) of it "
          + "after the layer had been released at \((since - table.firstEvent).durationText): the drawings "
          + "in the queue hold the layer, so it is never deallocated and cancels nothing; hold it "
          + "weakly there, as render does")
    }
  }

  // MARK: Early notifications

  /// Reports each pattern that completed while some of its steps still ran, although it promises to wait for all of
  /// them.
  ///
  /// - Parameter explained: the patterns for which a second completion is the reason.
  private mutating func addEarlyNotifications(explained: Set<Int>) {
    var running: [Int: [Int]] = [:]
    for (index, node) in table.nodes.enumerated() {
      guard !node.isChain, let parent = table.owner(of: index), table.nodes[parent].awaitsAll,
        table.hasStarted(index) || table.finishTime(of: index) != nil,
        table.finishPosition(of: index) > table.finishPosition(of: parent)
      else { continue }
      running[parent, default: []].append(index)
    }
    for (pattern, steps) in running.sorted(by: { $0.key < $1.key })
    where !explained.contains(pattern) {
      add(
        "early-notification", pattern,
        "\(name(of: pattern)) completed while \(list(steps.map(name))) had not, although its "
          + "manual says that it waits for all: a step has not completed when the call that starts "
          + "it returns; enter before it starts and leave when it completes, as group does")
    }
  }

  // MARK: Waiting

  /// Whether a thread was blocked for a step for some time, or is still blocked at the end of the run.
  private func hasBlocked(_ index: Int) -> Bool {
    guard let details = table.nodes[index].details else { return false }
    return details.blocked > 0 || details.isBlockedToEnd && !isIncomplete
  }

  private mutating func addBlockedThread(_ index: Int, _ awaited: [Int], at begin: Int64?) {
    guard let details = table.nodes[index].details else { return }
    let time = details.blocked.durationText
    let times = details.blockCount == 1 ? "" : " in \(details.blockCount) stretches"
    let call = details.blockingCall.map { " \($0)" } ?? ""
    let longest = details.mainBlockage?.length.durationText ?? time
    let which = details.hasOtherCalls ? ", the longest for \(longest)" : ""
    var message = "\(name(of: index)) blocked a thread for \(time)\(times)\(which)\(call)"
    if details.isBlockedToEnd, !isIncomplete {
      message =
        "\(name(of: index)) blocked a thread to the end of the run\(call)"
        + (details.blocked > 0 ? ", for \(time)\(times)" : "")
        + (awaited.isEmpty
          ? ", and nothing woke it"
          : ", in vain: \(list(awaited.map(name))) had not completed")
    }
    let fix =
      table.nodes[index].isLeaf
      ? "wait with a timer (sleep) or for a completion, which block no thread"
      : "let each completion start the next step, as serial does, so that no thread needs to wait"
    add(
      "blocked-thread", index, "\(message); \(fix)", at: begin,
      isFinal: details.isBlockedToEnd && !isIncomplete)
  }

  /// The nodes that started and did not complete. Only the innermost are included: a pattern that waits for an
  /// unfinished step has no fault of its own.
  private var unfinished: [Int] {
    var holdsUnfinished = Array(repeating: false, count: table.nodes.count)
    var unfinished: [Int] = []
    for index in table.nodes.indices.reversed() {
      guard table.hasStarted(index), table.finishTime(of: index) == nil else { continue }
      if !holdsUnfinished[index] { unfinished.append(index) }
      if let parent = table.nodes[index].parent { holdsUnfinished[parent] = true }
    }
    return unfinished.reversed()
  }

  /// The unfinished nodes inside each pattern for which a thread is blocked to the end.
  private func awaited(_ unfinished: [Int]) -> [Int: [Int]] {
    guard table.nodes.indices.contains(where: { table.nodes[$0].details?.isBlockedToEnd == true })
    else {
      return [:]
    }
    var result: [Int: [Int]] = [:]
    for index in unfinished {
      for pattern in table.enclosing(table.nodes[index].parent)
      where table.nodes[pattern].details?.isBlockedToEnd == true {
        result[pattern, default: []].append(index)
      }
    }
    return result
  }
}
