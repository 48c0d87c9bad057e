extension Lints {
  mutating func addLateEnd(_ end: LateEnd) {
    let reason =
      end.pattern.map { "when \(name(of: $0)) ended" }
      ?? end.canceller.map { "by \(name(of: $0))" } ?? "when it timed out"
    add(
      "late-cancel", end.step,
      "\(name(of: end.step)) was cancelled \(reason), and kept running for "
        + "\(end.nanoseconds.durationText); check isCancelled between "
        + "pieces of the work, or stop it in onCancel", at: end.since)
  }

  mutating func addInversion(_ inversion: PriorityInversion) {
    let (step, awaited) = (name(of: inversion.step), name(of: inversion.awaited))
    let preferred = name(of: inversion.preferred)
    let wait = inversion.wait.durationText
    add(
      "priority-inversion", inversion.step,
      "\(step) is \(inversion.priority) and waited for \(awaited), which is "
        + "\(inversion.awaitedPriority) and was delayed by \(wait): \(preferred), which matters "
        + "less than \(step), ran first; give \(awaited) the priority of the step that waits for it",
      at: table.submitTime(of: inversion.step))
  }

  mutating func addExplosion(_ explosion: ThreadExplosion) {
    let time = (explosion.time - table.firstEvent).durationText
    add(
      "thread-explosion", explosion.node,
      "\(explosion.threads) threads were blocked at the same time, at \(time), most of them for "
        + "\(name(of: explosion.node)); start a few steps at a time, as bounded does, or wait "
        + "without a thread, as sleep does", at: explosion.time)
  }
}
