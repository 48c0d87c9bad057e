extension Lints {
  mutating func addTaskFault(_ fault: TaskFault) {
    let name = name(of: fault.node)
    switch fault.kind {
    case .heldThread(let time, let other, let wait):
      add(
        "held-thread", fault.node,
        "\(name) ran for \(time.durationText) without an await that suspended it, and "
          + "\(self.name(of: other)) waited \(wait.durationText) for its thread; await Task.yield() "
          + "between pieces of the work")
    case .heldMainActor(let time):
      add(
        "held-main-actor", fault.node,
        "\(name) held the main actor for \(time.durationText); move the work to a nonisolated function, "
          + "and return with the result")
    case .contention(let tasks, let longest, let holder):
      add(
        "actor-contention", fault.node,
        "up to \(tasks) \(tasks == 1 ? "task" : "tasks") waited for \(name) at the same time, the "
          + "longest for \(longest.durationText) until \(self.name(of: holder)) released it; do less in "
          + "the actor, or divide its state among several")
    case .inversion(let holder, let wait):
      add(
        "priority-inversion", fault.node,
        "\(name) waited \(wait.durationText) for an actor that \(self.name(of: holder)) held, which has a "
          + "lower priority; give both the same priority, or share no actor between them",
        at: table.submitTime(of: fault.node))
    case .outlivesCreator(let creator, let excess):
      add(
        "outliving-task", fault.node,
        "\(name) ran \(excess.durationText) longer than \(self.name(of: creator)), which created it, and "
          + "no code refers to it; make it a child with async let or a task group, or keep it and "
          + "cancel it"
      )
    case .lostError(let error):
      add(
        "unhandled-failure", fault.node,
        "\(name) failed with \(error), and no code refers to it, so its error is lost; catch the error in "
          + "the task, or keep the task and await it")
    case .growingBuffer(let count, let counter):
      add(
        "growing-buffer", fault.node,
        "\(name) added values to a stream faster than they were taken, and the \(counter) held "
          + "\(count.grouped) of them; limit it with bufferingPolicy, or let the producer wait for "
          + "the consumer"
      )
    case .flood(let count):
      add(
        "task-flood", fault.node,
        "\(count.grouped) tasks such as \(name) were ready at the same time, and few can run; use "
          + "a task group, and add the next task when one has ended")
    }
  }

  /// Adds a finding for a task that never resumed.
  ///
  /// A task that sleeps would have continued. A task that waits for another task, an actor or a stream when the run ends
  /// was not needed any more. Neither is a finding.
  ///
  /// - Returns: false if no wait was recorded for the task, or if it is unknown what the task waits for.
  mutating func addLostTask(_ task: Int) -> Bool {
    guard let (dependency, since) = table.tasks.lost[task], !dependency.isEmpty else {
      return false
    }
    let hasEnded = table.root.map { table.finishTime(of: $0) != nil } ?? false
    if dependency == "its sleep" { return true }
    if dependency != "a continuation", hasEnded { return true }
    let start = since.subtractingClamped(table.firstEvent).durationText
    let message = "\(name(of: task)) has waited for \(dependency) since \(start)"
    if dependency == "a continuation" {
      add(
        "never-resumed", task,
        "\(message), and was not resumed; resume it once on every path, even after an error")
    } else {
      add(
        "never-completed", task, "\(message), and had not completed when the run ended")
    }
    return true
  }
}
