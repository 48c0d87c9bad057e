import AsyncSimulation

extension Scenario {
  static let executors = [
    Scenario(
      "an executor of the program runs each job in a task",
      outcomes: ["first second", "second first"]
    ) {
      let executor = TaskBasedExecutor()
      let actor = Guest(on: executor)
      async let first: Void = actor.note("first")
      async let second: Void = actor.note("second")
      _ = await (first, second)
      return await actor.text
    },
    Scenario("an executor of the program runs one job at a time") {
      let actor = Guest(on: TaskBasedExecutor())
      await withTaskGroup(of: Void.self) { group in
        for _ in 1...4 { group.addTask { await actor.count() } }
      }
      try check(await actor.total == 4)
    },
    Scenario("an actor that shares the main actor's executor is on it") {
      let guest = MainGuest()
      try await guest.visit()
      try await MainActor.run { try check(guest.assumedCount == 1) }
    },
    Scenario("two actors that share an executor never run at the same time") {
      let first = SharingActor(nil)
      let second = SharingActor(first)
      let active = Locked(0)
      try await withThrowingTaskGroup { group in
        for actor in [first, second, first, second] {
          group.addTask { try await actor.enter(active) }
        }
        try await group.waitForAll()
      }
    },
    Scenario(
      "a task executor that passes its jobs on is a preference that children have, too",
      outcomes: ["first second", "second first"]
    ) {
      let executor = PassingExecutor()
      let journal = Journal()
      await withTaskExecutorPreference(executor) {
        async let first: Void = journal.note("first")
        async let second: Void = journal.note("second")
        _ = await (first, second)
      }
      try check(executor.count >= 2, "\(executor.count) jobs")
      return journal.text
    },
    Scenario("a task that prefers an executor sleeps, and hops to actors and back") {
      let executor = PassingExecutor()
      let start = ContinuousClock.now
      let actor = Counter()
      let task = Task(executorPreference: executor) {
        try await Task.sleep(for: .seconds(3))
        await actor.add()
        await MainActor.run { MainActor.preconditionIsolated() }
        return await actor.total
      }
      try check(try await task.value == 1)
      try check(ContinuousClock.now - start == .seconds(3))
    },
    Scenario("an executor can be that of an actor, and the preference of a task") {
      let executor = DoubleExecutor()
      let actor = DoubleGuest(on: executor)
      let task = Task(executorPreference: executor) {
        await actor.add()
        await Task.yield()
        await actor.add()
        return await actor.count
      }
      try check(await task.value == 2)
    },
    Scenario("a job is passed on by the executor of the pool") {
      let task = Task(executorPreference: globalConcurrentExecutor) {
        try await Task.sleep(for: .seconds(1))
        return 7
      }
      try check(try await task.value == 7)
    },
  ]
}

/// Runs each job inside of a task, one after another.
private final class TaskBasedExecutor: SerialExecutor {
  private let state = Locked((waiting: [UnownedJob](), isRunning: false))

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let starts = state.withLock { state in
      state.waiting.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { Task { drain() } }
  }

  private func drain() {
    while let job = next() { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.isRunning = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}

private actor Guest {
  private let executor: TaskBasedExecutor
  private var entries: [String] = []
  private(set) var total = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(on executor: TaskBasedExecutor) { self.executor = executor }

  var text: String { entries.joined(separator: " ") }
  func note(_ entry: String) {
    preconditionIsolated()
    entries.append(entry)
  }
  func count() async {
    let before = total
    total = before + 1
    await Task.yield()
    preconditionIsolated()
  }
}

private actor MainGuest {
  private var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

  func visit() throws {
    count += 1
    MainActor.preconditionIsolated()
    let isOnMain = MainActor.assumeIsolated { true }
    try check(isOnMain)
  }

  nonisolated var assumedCount: Int { assumeIsolated { $0.count } }
}

private actor SharingActor {
  private let host: SharingActor?
  private let executor = TaskBasedExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    host?.unownedExecutor ?? executor.asUnownedSerialExecutor()
  }

  init(_ host: SharingActor?) { self.host = host }

  func enter(_ active: Locked<Int>) async throws {
    for _ in 1...2 {
      let count = active.withLock { count in
        count += 1
        return count
      }
      try check(count == 1, "\(count) were inside")
      active.withLock { $0 -= 1 }
      await Task.yield()
    }
  }
}

private actor Counter {
  private(set) var total = 0
  func add() { total += 1 }
}

/// Counts the jobs, and passes them to the pool.
private final class PassingExecutor: TaskExecutor {
  private let jobs = Locked(0)

  var count: Int { jobs.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.withLock { $0 += 1 }
    globalConcurrentExecutor.enqueue(job)
  }
}

/// Runs each job inside of a task, for actors and for tasks.
private final class DoubleExecutor: SerialExecutor, TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Task.detached {
      job.runSynchronously(
        isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }
}

private actor DoubleGuest {
  private let executor: DoubleExecutor
  private(set) var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(on executor: DoubleExecutor) { self.executor = executor }

  func add() {
    preconditionIsolated()
    count += 1
  }
}
