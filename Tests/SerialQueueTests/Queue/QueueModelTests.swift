import AsyncSimulation
import PatternTesting
import SerialQueue
import Testing

/// Compares the queue with a model that follows its documentation alone.
@Suite struct QueueModelTests {
  @Test func `random programs have the starts and outcomes that the documentation states`() {
    var outcomes: Set<String> = []
    for seed in 0..<UInt64(300 * SearchLength.factor) {
      let program = QueueProgram(seed: seed)
      let recording = Recording()
      let trace: any TraceSink = seed % 2 == 0 ? recording : WithoutPlaces(recording)
      let run = QueueRun(program, on: SimulatedRuntime(seed: seed, trace: trace))
      let (found, expected) = (run.finish(), QueueModel(program).history)
      #expect(
        starts(found, width: program.width) == starts(expected, width: program.width),
        "seed \(seed)")
      #expect(found.outcomes == expected.outcomes, "seed \(seed)")
      #expect(recording.misuse == [], "seed \(seed)")
      outcomes.formUnion(expected.outcomes.joined())
    }
    #expect(
      outcomes.sorted() == [
        "abandoned", "cancelled", "failed", "full", "ok", "stopped", "superseded", "timed out",
      ])
  }

  /// With a width above 1, the lanes decide which of two items that are taken at the same time starts first.
  private func starts(_ history: QueueHistory, width: Int) -> [QueueHistory.Start] {
    width == 1
      ? history.starts : history.starts.sorted { ($0.time, $0.item) < ($1.time, $1.item) }
  }
}

/// A program that runs on a real queue.
private final class QueueRun: Sendable {
  private let program: QueueProgram
  private let runtime: SimulatedRuntime
  private let queue: Locked<SerialQueue?>
  private let history: Locked<QueueHistory>
  private let cancels = Locked<[Int: @Sendable () -> Void]>([:])

  init(_ program: QueueProgram, on runtime: SimulatedRuntime) {
    self.program = program
    self.runtime = runtime
    queue = Locked(
      SerialQueue(
        "model", on: program.placement, width: program.width, bound: program.bound,
        timeout: program.timeout, onFailure: program.onFailure, runtime: runtime))
    history = Locked(QueueHistory(program))
  }

  /// Runs the program to its end, and then releases the queue.
  func finish() -> QueueHistory {
    for (number, action) in program.actions.enumerated() {
      runtime.pool.schedule(after: QueueProgram.time(number)) { self.perform(action) }
    }
    runtime.runUntilIdle()
    _ = queue.withLock { $0.take() }
    runtime.runUntilIdle()
    return history.withLock { $0 }
  }

  private func perform(_ action: QueueProgram.Action) {
    guard let queue = queue.withLock({ $0 }) else { return }
    switch action {
    case .enqueue(let number): enqueue(number, in: queue)
    case .cancel(let number): cancels.withLock { $0[number] }?()
    case .cancelPending: queue.cancelPending()
    case .cancelAll: queue.cancelAll()
    case .suspend: queue.suspend()
    case .resume: queue.resume()
    }
  }

  private func enqueue(_ number: Int, in queue: SerialQueue) {
    let item = program.items[number]
    // An option that the item does not have is replaced by its priority, which has no further effect.
    let priority = SerialQueue.ItemOption.priority(item.priority)
    let barrier = item.isBarrier ? SerialQueue.ItemOption.barrier : priority
    let timeout = item.timeout.map { SerialQueue.ItemOption.timeout($0) } ?? priority
    let key = item.key.map { SerialQueue.ItemOption.key($0, item.rule) } ?? priority
    switch item.kind {
    case .function
    where item.priority == .normal && !item.isBarrier && item.timeout == nil && item.key == nil:
      watch(number, queue.enqueue { self.start(number) })
    case .function:
      watch(number, queue.enqueue(priority, barrier, timeout, key) { self.start(number) })
    case .callback:
      watch(
        number, queue.enqueueWithCompletion(priority, barrier, timeout, key, work: callback(number))
      )
    case .task:
      let clock = runtime.clock
      watch(
        number,
        queue.enqueue(priority, barrier, timeout, key) {
          self.start(number)
          try await clock.sleep(for: item.duration)
          if item.fails { throw StepFailure("failed") }
        })
    }
  }

  private func callback(_ number: Int) -> @Sendable (SerialQueue.Done<Void>) -> Void {
    let item = program.items[number]
    let result: Result<Void, any Error> =
      item.fails ? .failure(StepFailure("failed")) : .success(())
    return { done in
      self.start(number)
      guard item.duration > .zero else { return done(result) }
      let timer = self.runtime.pool.schedule(after: item.duration) { done(result) }
      guard item.endsWhenCancelled else { return }
      done.onCancel {
        timer.cancel()
        done(.failure(CancellationError()))
      }
    }
  }

  private func start(_ number: Int) {
    let now = Duration.nanoseconds(runtime.now.nanoseconds)
    history.withLock { $0.start(number, at: now) }
  }

  private func watch(_ number: Int, _ item: SerialQueue.Item<Void>) {
    cancels.withLock { $0[number] = { item.cancel() } }
    item.onCompletion { result in
      self.history.withLock { $0.end(number, result.summary) }
    }
  }
}
