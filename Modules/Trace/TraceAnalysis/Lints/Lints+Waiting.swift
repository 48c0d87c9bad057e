extension Lints {
  mutating func addLateEnd(_ end: LateEnd) {
    let moment = end.pattern.map { "\(name(of: $0)) ended" } ?? "its time was up"
    add(
      "late-cancel", end.step,
      "\(name(of: end.step)) was called off when \(moment), and went on for "
        + "\(Duration.nanoseconds(end.nanoseconds).shortDescription); ask isCancelled between pieces of the work, "
        + "or stop it in onCancel")
  }

  mutating func addInversion(_ inversion: PriorityInversion) {
    let (step, awaited) = (name(of: inversion.step), name(of: inversion.awaited))
    let preferred = name(of: inversion.preferred)
    add(
      "priority-inversion", inversion.step,
      "\(step) is \(inversion.priority) and waited for \(awaited), which is \(inversion.awaitedPriority) and stood "
        + "back for \(Duration.nanoseconds(inversion.wait).shortDescription): \(preferred), which matters less than "
        + "\(step), went first; give \(awaited) the priority of what waits for it")
  }

  mutating func addExplosion(_ explosion: ThreadExplosion) {
    let time = Duration.nanoseconds(explosion.time - table.firstEvent).shortDescription
    add(
      "thread-explosion", explosion.node,
      "\(explosion.threads) threads stood parked at once at \(time), most of them for "
        + "\(name(of: explosion.node)); start a few at a time, as bounded does, or wait without a thread, as sleep "
        + "does")
  }
}
