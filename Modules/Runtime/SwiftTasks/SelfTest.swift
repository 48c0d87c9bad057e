internal import CSwiftTasks

/// The abilities of the Swift runtime in this process, as the self-test found them.
public struct RuntimeSupport: Sendable {
  /// The reason why tasks cannot be simulated; nil if they can.
  public var obstacle: String?
  /// The limits of a simulation in this process, if tasks can be simulated. Empty on the runtime
  /// for which this module was written.
  public var limits: [String] = []
  /// Whether tasks show their names, their parents and their dependencies.
  public var showsTasks = true
  /// Whether a sleep that has ended can still be cancelled, until its task continues.
  public var cancelsEndedSleeps = true

  /// The result of the self-test. It runs once, when the first simulation starts, and takes less
  /// than ten milliseconds.
  public static let current = SelfTest().run()
}

/// Runs a few tasks in its own simulation, and checks all behaviour that this module relies on.
final class SelfTest: JobReceiver, @unchecked Sendable {
  // Safe to share: all tasks that access it run on one thread, the thread that runs the test.
  private var ready: [SwiftJob] = []
  private var sleeps: [SwiftJob] = []
  private var places: Set<SwiftJob.Place> = []
  private var findings: Set<Finding> = []
  private var ran: Set<SwiftTask> = []

  /// A sleep that ends and throws nevertheless.
  private var sleep: EndingSleep?
  private var waiting: UnsafeContinuation<Void, Never>?
  /// An actor and a task that waits for it. The test looks for the task in the actor's memory.
  private var expected: (actor: UnsafeRawPointer, task: SwiftTask)?

  private enum Finding: Hashable {
    case ended, virtualClock, name, parent, dependency, completion, cancelledSleep, endedSleep
  }

  func receive(_ job: SwiftJob) {
    places.insert(job.place)
    ready.append(job)
    if let expected, job.task == nil {
      swift_tasks_learnActor(expected.actor, job.pointer, expected.task.pointer)
    }
  }

  func receive(_ job: SwiftJob, after delay: Int64) {
    swift_tasks_learnSleep(job.pointer)
    sleeps.append(job)
  }

  func willRun(_ task: SwiftTask) {
    ran.insert(task)
    if let ending = sleep, ending.task == task {
      sleep = nil
      ending.throwCancellation()
    }
  }

  private actor Place {
    func touch() {}

    func wait(_ start: @Sendable (UnsafeContinuation<Void, Never>, SwiftTask?) -> Void) async {
      await withUnsafeContinuation { start($0, .current) }
    }
  }

  private func body() async {
    let place = Place()
    let parent = SwiftTask.current
    async let child: Void = { [self] in
      if SwiftTask.current?.parent == parent { findings.insert(.parent) }
    }()
    await place.touch()
    await MainActor.run {}
    await child
    await resume(in: place)
    if ContinuousClock.now == ContinuousClock.now { findings.insert(.virtualClock) }
    // Each kind of sleep has its own type of job.
    try? await Task.sleep(nanoseconds: 1)
    try? await Task.sleep(for: .nanoseconds(1))
    try? await SuspendingClock().sleep(for: .nanoseconds(1))
    let sleeper = Task(name: "sleeper") { try await Task.sleep(for: .seconds(1)) }
    while sleeps.isEmpty { await Task.yield() }
    let pointer = unsafeBitCast(sleeper, to: UnsafeRawPointer.self)
    let task = SwiftTask(pointer: pointer)
    if task.name == "sleeper" { findings.insert(.name) }
    if task.dependency == .continuation { findings.insert(.dependency) }
    sleeper.cancel()
    if sleeps.last?.isCancelledSleep == true { findings.insert(.cancelledSleep) }
    _ = await sleeper.result
    if task.isComplete, task.error is CancellationError { findings.insert(.completion) }
    if await throwsFromEndedSleep() { findings.insert(.endedSleep) }
    findings.insert(.ended)
  }

  private func throwsFromEndedSleep() async -> Bool {
    let count = sleeps.count
    let task = Task { try await Task.sleep(for: .seconds(1)) }
    while sleeps.count == count { await Task.yield() }
    sleep = sleeps.last?.endingSleep
    if sleep?.task != SwiftTask(pointer: unsafeBitCast(task, to: UnsafeRawPointer.self)) {
      return false
    }
    if case .failure(let error) = await task.result { return error is CancellationError }
    return false
  }

  /// Resumes a task that waits inside an actor.
  private func resume(in place: Place) async {
    let waiter = Task {
      await place.wait { [self] continuation, task in
        waiting = continuation
        expected = task.map { (UnsafeRawPointer(Unmanaged.passUnretained(place).toOpaque()), $0) }
      }
    }
    while waiting == nil { await Task.yield() }
    waiting?.resume()
    expected = nil
    await waiter.value
  }

  func run() -> RuntimeSupport {
    let simulation = TaskSimulation(receiver: self)
    simulation.isWatched = true
    let outside = simulation.enter()
    defer { TaskSimulation.leave(to: outside) }
    Task.detached { await self.body() }
    var limit = 1_000
    while limit > 0, let job = ready.isEmpty ? sleeps.popLast() : ready.removeFirst() {
      limit -= 1
      job.run()
    }
    return support
  }

  private var support: RuntimeSupport {
    if places.isEmpty {
      return RuntimeSupport(
        obstacle: "Another part of the program has already set the executors of Swift’s tasks.")
    }
    guard findings.contains(.ended), places.contains(.pool), places.contains(.main) else {
      return RuntimeSupport(
        obstacle: "This version of Swift’s runtime runs tasks in an unknown way.")
    }
    var support = RuntimeSupport()
    func require(_ holds: Bool, _ limit: String) { if !holds { support.limits.append(limit) } }
    require(findings.contains(.virtualClock), "The clocks of the program show real time.")
    require(
      places.contains(.hop),
      "A hop to a free actor is not a choice; link with -Xlinker --wrap=swift_task_switch.")
    support.showsTasks =
      findings.isSuperset(of: [.name, .parent, .dependency, .completion]) && !ran.isEmpty
    require(
      support.showsTasks,
      "Reports do not show tasks, since the runtime stores them in an unknown way.")
    support.cancelsEndedSleeps = findings.contains(.endedSleep)
    require(
      support.cancelsEndedSleeps,
      "A sleep that ends at the instant of its cancellation always ends before it.")
    require(findings.contains(.cancelledSleep), "A cancelled sleep still takes its whole time.")
    return support
  }
}
