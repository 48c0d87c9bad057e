import AsyncSimulation
import PatternTesting
import Promises
import Testing

@Suite struct BoltsTaskTests {
  private typealias Source = Bolts.TaskCompletionSource
  private struct Bad: Error {}

  @Test func `the state of a task`() {
    let value = Bolts.Task(3)
    #expect(value.completed && !value.faulted && !value.cancelled)
    #expect(value.result == 3 && value.error == nil)
    let failed = Bolts.Task<Int>(error: Bad())
    #expect(failed.completed && failed.faulted && !failed.cancelled)
    #expect(failed.result == nil && failed.error is Bad)
    let cancelled = Bolts.Task<Int>.cancelledTask()
    #expect(cancelled.completed && !cancelled.faulted && cancelled.cancelled)
    #expect(cancelled.result == nil && cancelled.error == nil)
    let source = Source<Int>()
    #expect(!source.task.completed && !source.task.faulted && !source.task.cancelled)
    #expect(
      ["\(value)", "\(failed)", "\(cancelled)", "\(source.task)"] == [
        "Task: success(3)", "Task: error(Bad())", "Task: cancelled", "Task: pending",
      ])
    source.cancel()
  }

  @Test func `its list of continuations runs in order when it is completed`() {
    let source = Source<Int>()
    let log = Log()
    for name in ["a", "b", "c"] {
      source.task.continueWith { task in log.append("\(name) \(task.result ?? 0)") }
    }
    #expect(log.entries == [])
    source.set(result: 3)
    #expect(log.entries == ["a 3", "b 3", "c 3"])
    source.task.continueWith { _ in log.append("d, immediately") }
    #expect(log.entries.last == "d, immediately")
  }

  /// The result of each continuation for a value, an error and a cancellation.
  @Test func `which outcomes each continuation handles`() {
    func outcomes(_ continued: (Bolts.Task<Int>) -> Bolts.Task<Int>) -> [String] {
      let sources = [Source<Int>(), Source<Int>(), Source<Int>()]
      let tasks = sources.map { continued($0.task) }
      sources[0].set(result: 3)
      sources[1].set(error: Bad())
      sources[2].cancel()
      for task in sources.map({ $0.task }) + tasks { task.promise.ignoringFailure() }
      return tasks.map { "\($0)".replacing("Task: ", with: "") }
    }
    let value = ["success(6)", "error(Bad())", "cancelled"]
    let error = ["success(3)", "success(7)", "cancelled"]
    let any = ["success(9)", "success(9)", "success(9)"]
    #expect(outcomes { $0.continueOnSuccessWith { $0 * 2 } } == value)
    #expect(outcomes { $0.continueOnSuccessWithTask { Bolts.Task($0 * 2) } } == value)
    #expect(outcomes { $0.continueOnErrorWith { _ in 7 } } == error)
    #expect(outcomes { $0.continueOnErrorWithTask { _ in Bolts.Task(7) } } == error)
    #expect(outcomes { $0.continueWith { _ in 9 } } == any)
    #expect(outcomes { $0.continueWithTask { _ in Bolts.Task(9) } } == any)
    let thrown = ["error(Bad())", "error(Bad())", "error(Bad())"]
    #expect(outcomes { $0.continueWith { _ in throw Bad() } } == thrown)
    #expect(outcomes { $0.continueWithTask { _ in Bolts.Task(error: Bad()) } } == thrown)
    let cancelled = ["cancelled", "cancelled", "cancelled"]
    #expect(outcomes { $0.continueWith { _ in throw Bolts.CancelledError() } } == cancelled)
  }

  @Test func `a task that a continuation returns is waited for`() {
    let (outer, inner) = (Source<Int>(), Source<Int>())
    let task = outer.task.continueOnSuccessWithTask { _ in inner.task }
    outer.set(result: 1)
    #expect(!task.completed)
    inner.set(result: 2)
    #expect(task.result == 2)
  }

  @Test func `a second set is reported, and trySet returns whether it won`() {
    let recording = Recording()
    let source = Source<Int>(runtime: SimulatedRuntime(trace: recording))
    source.set(result: 1)
    source.set(result: 2)
    source.set(error: Bad())
    source.cancel()
    #expect(recording.misuse == ["completed-twice", "completed-twice", "completed-twice"])
    #expect(!source.trySet(result: 3) && !source.trySet(error: Bad()) && !source.tryCancel())
    #expect(recording.misuse.count == 3)
    #expect(source.task.result == 1)
    #expect(Source<Int>().trySet(result: 1))
    let failed = Source<Int>()
    failed.task.promise.ignoringFailure()
    #expect(failed.trySet(error: Bad()))
    #expect(Source<Int>().tryCancel())
  }

  @Test func `a source that is released fails its task`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let task = Source<Int>(runtime: runtime).task
    runtime.runUntilIdle()
    #expect(task.error is ResolverDropped)
    #expect(recording.misuse == ["completion-dropped"])
  }

  @Test func `executors`() {
    let runtime = SimulatedRuntime()
    let log = Log()
    let own = runtime.serial("own")
    let kept = Locked<[@Sendable () -> Void]>([])
    let source = Source<Int>(runtime: runtime)
    let executors: [(String, Bolts.Executor)] = [
      ("closure", .escapingClosure { body in kept.withLock { $0.append(body) } }),
      ("main", .mainThread), ("pool", .pool), ("own", .scheduler(own)),
      ("immediate", .immediate), ("default", .default),
    ]
    let tasks = executors.map { name, executor in
      source.task.continueWith(executor) { _ in log.append(name) }
    }
    source.set(result: 3)
    #expect(log.entries == ["immediate", "default"])
    runtime.runUntilIdle()
    #expect(log.entries.sorted() == ["default", "immediate", "main", "own", "pool"])
    #expect(tasks.map { $0.completed } == [false, true, true, true, true, true])
    for body in kept.withLock({ $0 }) { body() }
    #expect(log.entries.last == "closure")
    #expect(tasks[0].completed)
  }

  @Test func `an executor that drops its work fails the task`() {
    let runtime = SimulatedRuntime(trace: Recording())
    let task = Bolts.Task(3, runtime: runtime).continueWith(.escapingClosure { _ in }) { _ in 4 }
    runtime.runUntilIdle()
    #expect(task.error is ResolverDropped)
  }

  @Test func `a task for what a closure returns`() {
    #expect(Bolts.Task { 3 }.result == 3)
    #expect(Bolts.Task<Int> { throw Bad() }.error is Bad)
    #expect(Bolts.Task.execute { 3 }.result == 3)
    #expect(Bolts.Task.executeWithTask { Bolts.Task(3) }.result == 3)
    let runtime = SimulatedRuntime()
    let task = Bolts.Task(.pool, runtime: runtime) { 3 }
    #expect(!task.completed)
    runtime.runUntilIdle()
    #expect(task.result == 3)
  }

  @Test func `a task for all of several tasks`() {
    typealias Ints = Bolts.Task<Int>
    #expect(Ints.whenAllResult([Bolts.Task(1), Bolts.Task(2)]).result == [1, 2])
    #expect(Ints.whenAll([Bolts.Task(1), Bolts.Task(2)]).result != nil)
    #expect(Ints.whenAll([]).completed)
    let failed = Ints.whenAll([Bolts.Task(1), Bolts.Task(error: Bad()), Bolts.Task(error: Bad())])
    #expect((failed.error as? Bolts.AggregateError)?.errors.count == 2)
    #expect(Ints.whenAll([.cancelledTask(), Bolts.Task(error: Bad())]).cancelled)
    let sources = [Source<Int>(), Source<Int>()]
    let all = Bolts.Task.whenAllResult(sources.map { $0.task })
    sources[0].set(error: Bad())
    #expect(!all.completed, "it waits for all, whatever they come to")
    sources[1].set(result: 2)
    #expect(all.faulted)
  }

  @Test func `a task for the first of several tasks`() {
    let sources = [Source<Int>(), Source<Int>()]
    let any = Bolts.Task.whenAny(sources.map { $0.task })
    #expect(!any.completed)
    sources[1].set(error: Bad())
    #expect(any.completed && !any.faulted)
    sources[0].set(result: 1)
    #expect(Bolts.Task<Int>.whenAny([]).completed)
  }

  @Test func `a delay, and a cancellation that releases its timer`() {
    let runtime = SimulatedRuntime()
    let task = Bolts.Task.withDelay(.ms(10), runtime: runtime)
    runtime.runUntilIdle()
    #expect(task.completed && runtime.now == .zero.advanced(by: .ms(10)))
    let cancellation = Cancellation()
    let cancelled = Bolts.Task.withDelay(.seconds(10), runtime: runtime, cancellation: cancellation)
    cancellation.cancel()
    runtime.runUntilIdle()
    #expect(cancelled.cancelled && runtime.now == .zero.advanced(by: .ms(10)))
  }

  @Test func `a cancellation prevents continuations from running`() {
    let (source, cancellation, log) = (Source<Int>(), Cancellation(), Log())
    let task = source.task.until(cancellation).continueWith { _ in log.append("ran") }
    cancellation.cancel()
    source.set(result: 3)
    #expect(task.cancelled && log.entries == [])
  }

  @Test func `waiting, and a wait that could never end`() throws {
    let source = Source<Int>()
    LiveRuntime.shared.pool.schedule { source.set(error: Bad()) }
    try source.task.waitUntilCompleted()
    #expect(source.task.error is Bad)
    #expect(throws: WaitRefused.self) { try Bolts.Task<Int>(.never()).waitUntilCompleted() }
  }

  @Test(.unlessThreadSanitized) func `a hundred thousand immediate continuations need no stack`() {
    let source = Source<Int>()
    var task = source.task
    for _ in 1...100_000 { task = task.continueWith(.immediate) { ($0.result ?? 0) + 1 } }
    source.set(result: 0)
    #expect(task.result == 100_000)
    var loop = Bolts.Task(0)
    for _ in 1...100_000 { loop = loop.continueOnSuccessWithTask { Bolts.Task($0 + 1) } }
    #expect(loop.result == 100_000)
  }

  // MARK: Unhandled failures

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isReported: Bool
    fileprivate let use: @Sendable (Bolts.Task<Int>) -> Void

    fileprivate init(
      _ name: String, isReported: Bool, _ use: @escaping @Sendable (Bolts.Task<Int>) -> Void
    ) {
      testDescription = name
      self.isReported = isReported
      self.use = use
    }
  }

  private struct Worse: Error {}
  private static let calling = Bolts.Executor.escapingClosure { $0() }

  static let uses = [
    Row("continueWith", isReported: false) { $0.continueWith { _ in } },
    Row("continueWithTask", isReported: false) { $0.continueWithTask { _ in Bolts.Task(1) } },
    Row("continueOnErrorWith", isReported: false) { $0.continueOnErrorWith { _ in 1 } },
    Row("continueOnErrorWithTask", isReported: false) {
      $0.continueOnErrorWithTask { _ in Bolts.Task(1) }
    },
    Row("continueOnErrorWith by a function", isReported: false) {
      $0.continueOnErrorWith(calling) { _ in 1 }
    },
    Row("continueOnSuccessWith, then continueOnErrorWith", isReported: false) {
      $0.continueOnSuccessWith { $0 + 1 }.continueOnErrorWith { _ in 1 }
    },
    Row("whenAny", isReported: false) { _ = Bolts.Task.whenAny([$0]) },
    Row("nothing", isReported: true) { _ in },
    Row("completed", isReported: true) { _ = $0.completed },
    Row("continueOnSuccessWith", isReported: true) { $0.continueOnSuccessWith { $0 + 1 } },
    Row("continueOnSuccessWith by a function", isReported: true) {
      $0.continueOnSuccessWith(calling) { $0 + 1 }
    },
    Row("continueWith that throws", isReported: true) {
      $0.continueWith { task -> Int in
        _ = task.error
        throw Worse()
      }
    },
    Row("continueOnErrorWith that throws", isReported: true) {
      $0.continueOnErrorWith { _ in throw Worse() }
    },
    Row("continueOnErrorWith by a function that throws", isReported: true) {
      $0.continueOnErrorWith(calling) { _ in throw Worse() }
    },
  ]

  @Test(arguments: uses, [true, false])
  func `continuing a task handles its failure`(_ row: Row, isPending: Bool) {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    do {
      let source = Source<Int>(runtime: runtime)
      if !isPending { source.set(error: Bad()) }
      row.use(source.task)
      if isPending { source.trySet(error: Bad()) }
    }
    runtime.runUntilIdle()
    #expect(recording.misuse == (row.isReported ? ["unhandled-failure"] : []))
  }
}
