import AsyncPatterns
import TimingTrace

/// The account of one step as text: what the step waited for, and how that affected the run.
struct StepAccountText {
  let account: StepAccount
  let style: TerminalStyle

  var text: String {
    let step = account.step
    let heading =
      "\(step.numberedPath) (\(step.pattern)): \(step.outcome.rawValue)"
      + (step.isCritical ? ", on the critical path" : "")
    let table = TextTable(columns: ["", "", ""], rows: rows).text(width: style.textWidth)
    return ([heading, table] + conclusion.map { Prose.wrap("  " + $0, to: style.textWidth) })
      .joined(separator: "\n")
  }

  /// How many waits of one kind are listed.
  private static let mostWaits = 8

  /// The row that counts those that are not listed; none if all are.
  private func rest(of count: Int, _ which: String = "more") -> [[String]] {
    count > Self.mostWaits ? [["", "", "and \(count - Self.mostWaits) \(which)"]] : []
  }

  private var rows: [[String]] {
    let step = account.step
    var rows = [
      row("submitted", step.submitted, (account.maker ?? account.parent).map { "by \($0)" } ?? "")
    ]
    if let delay = account.delay {
      rows.append(
        row(
          "delayed", delay.to.subtractingClamped(delay.from),
          "by a timer\(account.parent.map { " of \($0)" } ?? ""), from \(time(delay.from)) to \(time(delay.to))"
        ))
    }
    let waits = account.waits.filter { $0.until >= step.submitted }.map(sentence)
    if let started = step.started, started > step.submitted || !waits.isEmpty {
      let unknown =
        step.pattern == "task" || account.clock == .live
        ? "for a thread" : "for an unrecorded cause"
      rows.append(row("waited", started.subtractingClamped(step.submitted), waits.first ?? unknown))
      rows += waits.dropFirst().prefix(Self.mostWaits).map { ["", "", $0] }
      rows += rest(of: waits.count - 1)
      if let ready = account.ready, ready < started {
        let early = started.subtractingClamped(ready)
        rows.append(row("ready", ready, "\(time(early)) before it started"))
      }
    } else if step.started == nil {
      rows.append(["  waited", "–", waits.first ?? unstarted])
    }
    if let started = step.started {
      rows.append(row("started", started, account.startLane.map { "on \($0)" } ?? ""))
    }
    if step.work > 0 { rows.append(row("worked", step.work, "")) }
    for blockage in account.blockages.prefix(Self.mostWaits) {
      let call = blockage.call.map { " \($0)" } ?? ""
      let waker = blockage.ender.map { ", woken by \($0)" } ?? ""
      rows.append(
        row(
          "blocked", blockage.to.subtractingClamped(blockage.from),
          "\(blockage.lane) was blocked from \(time(blockage.from)) to \(time(blockage.to))\(call)\(waker)"
        ))
    }
    rows += rest(of: account.blockages.count)
    for suspension in account.suspensions.longest(Self.mostWaits) {
      let what = suspension.dependency.isEmpty ? "" : "for \(suspension.dependency), "
      let ender =
        (suspension.ender.map { ", resumed by \($0)" } ?? "")
        + (suspension.holders.isEmpty ? "" : ", held by \(suspension.holders.shortList)")
      guard let to = suspension.to else {
        rows.append(["  suspended", "–", "\(what)from \(time(suspension.from)) on"])
        continue
      }
      rows.append(
        row(
          "suspended", to.subtractingClamped(suspension.from),
          "\(what)from \(time(suspension.from)) to \(time(to))\(ender)"))
    }
    rows += rest(of: account.suspensions.count, "shorter ones")
    // The row of a suspension already shows this time.
    let queues = account.queues.filter { queue in
      !account.suspensions.contains { $0.to == queue.to }
    }
    if queues.count > Self.mostWaits {
      rows.append(["  queued", "", "\((queues.count - Self.mostWaits).of("time")) before that"])
    }
    for queue in queues.suffix(Self.mostWaits) {
      let holder = queue.ender.map { ", which \($0) held" } ?? ""
      rows.append(
        row(
          "queued", queue.to.subtractingClamped(queue.from),
          "from \(time(queue.from)) to \(time(queue.to)) it was ready to continue, and waited for \(queue.lane)\(holder)"
        ))
    }
    if let cancellation = account.cancellation {
      let by = cancellation.by.map { "by \($0)" } ?? "from outside of the run"
      rows.append(row("cancelled", cancellation.time, by))
    }
    if let finished = step.finished {
      let end = step.error ?? "after \(time(step.duration ?? 0))"
      rows.append(row("finished", finished, end + timer))
    }
    return rows
  }

  /// How a timer was involved in the end of the step.
  private var timer: String {
    if let timeout = account.keptRunningAfterTimeout {
      return "; it had timed out at \(time(timeout)), by a timer of its pattern"
    }
    guard account.isEndedByTimer else { return "" }
    switch account.step.outcome {
    case .cancelled: return ", by a timer of its pattern"
    case .failure: return "; a timer ended it"
    default: return ", by a timer of its own"
    }
  }

  private var unstarted: String {
    account.step.pattern == "task"
      ? "for a thread or an actor, and never started" : "and never started"
  }

  private func sentence(_ wait: StepAccount.Wait) -> String {
    let text: String =
      switch wait.kind {
      case .dependency where wait.isTimedOut: "for \(wait.from), which timed out"
      case .dependency: "for the dependency \(wait.from) to end"
      case .permit: "for a permit, which \(wait.from) gave back"
      case .woke where wait.to == account.step.path: "for \(wait.from) to wake it"
      case .woke: "for \(wait.from) to wake \(wait.to)"
      case .queue: "in a queue, behind \(wait.from)"
      case .spawned: "for \(wait.from) to start it"
      case .resolvedBy: "for \(wait.from) to resolve it"
      }
    return "\(text), until \(time(wait.until))"
  }

  private var conclusion: [String] {
    guard let slack = account.slack else { return [] }
    let step = account.step
    // In another order, other steps might have determined the makespan.
    let proviso =
      "provided that all steps ran in the same order"
      + (step.isLeaf && step.pattern != "task"
        ? "; “simulate FILE with \(step.path) * 0.5” shows more" : "")
    if slack > 0 {
      return [
        "It has \(time(slack)) of slack: ending up to \(time(slack)) later would not have delayed the run, and "
          + "ending sooner would not have made the run shorter, \(proviso)."
      ]
    }
    return ["It has no slack: ending later would have delayed the run, \(proviso)."]
  }

  private func row(_ what: String, _ nanoseconds: Int64, _ detail: String) -> [String] {
    ["  " + what, time(nanoseconds), detail]
  }

  private func time(_ nanoseconds: Int64) -> String {
    nanoseconds == 0 ? "0" : nanoseconds.durationText
  }
}

extension [StepAccount.Suspension] {
  /// The longest suspensions, in their original order. A suspension that never ended counts as the longest.
  fileprivate func longest(_ count: Int) -> [StepAccount.Suspension] {
    if self.count <= count { return self }
    func length(_ index: Int) -> Int64 { self[index].to.map { $0 - self[index].from } ?? .max }
    return indices.sorted { length($0) > length($1) }.prefix(count).sorted().map { self[$0] }
  }
}
