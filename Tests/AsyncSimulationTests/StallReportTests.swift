import AsyncSimulation
import Testing

@Suite struct StallReportTests {
  /// The reported stall after `step` has run as far as it can.
  func stallReport(_ step: Step, workers: Int = 4) -> StallReport {
    let log = EventRecording()
    let runtime = SimulatedRuntime(workers: workers, patience: .milliseconds(1), trace: log)
    #expect(run(step, on: runtime) == nil)
    let report = StallReport(runtime.report, events: log.events)
    runtime.abandon()
    return report
  }

  @Test func `main waits for work that needs main`() {
    let step = Step(
      "all", pattern: InOrder(),
      steps: [
        onMain(Step("outer", pattern: BlockingOn(), steps: [onMain(.value("inner", .integer(1)))]))
      ])
    let report = stallReport(step)
    #expect(report.isDeadlock)
    #expect(
      report.sentences == [
        "main is held by “outer” (blocking-on), which has waited for semaphore 1 since 0ns; "
          + "“outer/inner” needs main, so semaphore 1 is never signalled: “outer” waits for "
          + "“outer/inner”, which waits for “outer”."
      ])
  }

  @Test func `blocking queues hold all workers that their steps need`() {
    let queues = (1...8).map {
      Step("q\($0)", pattern: BlockingQueue(), steps: [.sleep("a", .ms(10))])
    }
    let report = stallReport(Step("all", pattern: AtOnce(), steps: queues))
    #expect(report.isDeadlock)
    #expect(
      report.sentences == [
        "All 4 workers are held: “q1” (blocking), “q2” (blocking), “q3” (blocking) and “q4” (blocking) "
          + "wait for “q1/a”, “q2/a”, “q3/a” and “q4/a”, each of which needs a worker.",
        "“q5/a”, “q6/a”, “q7/a” and “q8/a” wait for a worker, too.",
      ])
  }

  @Test func `on one worker the only worker is held`() {
    let inner = Step("inner", pattern: BlockingQueue(), steps: [.value("leaf", .none)])
    let report = stallReport(Step("outer", pattern: BlockingQueue(), steps: [inner]), workers: 1)
    #expect(
      report.sentences == [
        "The only worker is held by “outer” (blocking), which has waited for semaphore 1 since 0ns; "
          + "“inner/leaf” needs a worker, so semaphore 1 is never signalled: “outer” waits for “inner”, "
          + "which waits for “inner/leaf”, which waits for “outer”."
      ])
  }

  @Test func `two locks in opposite order`() {
    let locks = Locked<[any BlockingSemaphore]>([])
    func lock(_ name: String, _ first: Int, _ second: Int) -> Step {
      Step(name) { _, scope, completion in
        let runtime = scope.runtime
        let own = locks.withLock { locks in
          if locks.isEmpty { locks = [runtime.semaphore(1), runtime.semaphore(1)] }
          return locks
        }
        own[first].wait()
        runtime.block(for: .ms(1))
        own[second].wait()
        completion(.success(.none))
      }
    }
    var steps = [lock("a", 0, 1), lock("b", 1, 0)]
    for index in steps.indices { steps[index].options["on"] = .string("pool") }
    let report = stallReport(Step("all", pattern: AtOnce(), steps: steps))
    #expect(
      report.sentences == [
        "“a” holds semaphore 1 and has waited for semaphore 2 since 1ms; “b” holds semaphore 2 and has "
          + "waited for semaphore 1 since 1ms: “a” waits for “b”, which waits for “a”."
      ])
  }

  @Test func `jobs of one step are distinguished by their lanes`() {
    let step = Step("both") { _, scope, completion in
      let runtime = scope.runtime
      let locks = (runtime.semaphore(1), runtime.semaphore(1))
      for (first, second) in [locks, (locks.1, locks.0)] {
        runtime.pool.schedule {
          first.wait()
          runtime.block(for: .ms(1))
          second.wait()
          completion(.success(.none))
        }
      }
    }
    #expect(
      stallReport(step).sentences == [
        "“both” on worker 1 holds semaphore 1 and has waited for semaphore 2 since 1ms; “both” on worker 2 "
          + "holds semaphore 2 and has waited for semaphore 1 since 1ms: “both” on worker 1 waits for "
          + "“both” on worker 2, which waits for “both” on worker 1."
      ])
  }

  @Test func `jobs without a step are distinguished by their lanes`() {
    let runtime = SimulatedRuntime()
    let locks = (runtime.semaphore(1), runtime.semaphore(1))
    for (first, second) in [locks, (locks.1, locks.0)] {
      runtime.pool.schedule {
        first.wait()
        runtime.block(for: .ms(1))
        second.wait()
      }
    }
    runtime.runUntilIdle()
    let holds = runtime.report.permitHolds
    #expect(holds.map(\.semaphore) == [2, 1])
    #expect(holds.map(\.lane.number) == [2, 1])
    #expect(holds.map(\.since) == [.zero, .zero])
    #expect(
      StallReport(runtime.report).sentences == [
        "A job on worker 1 holds semaphore 1 and has waited for semaphore 2 since 1ms; a job on worker 2 "
          + "holds semaphore 2 and has waited for semaphore 1 since 1ms."
      ])
    #expect(runtime.abandon() == 2)
  }

  @Test func `a job that locks twice waits for itself`() {
    let step = Step("again") { _, scope, completion in
      let lock = scope.runtime.semaphore(1)
      lock.wait()
      lock.wait()
      completion(.success(.none))
    }
    #expect(
      stallReport(step).sentences == [
        "“again” holds semaphore 1 and has waited for semaphore 1 since 0ns: “again” waits for itself."
      ])
  }

  @Test func `main is held by a job without a step`() {
    let runtime = SimulatedRuntime()
    let semaphore = runtime.semaphore(0)
    runtime.main.schedule(after: .ms(5)) {
      runtime.main.schedule { semaphore.signal() }
      semaphore.wait()
    }
    runtime.runUntilIdle()
    #expect(
      runtime.report.unstartedJobs.map(\.needs) == [.main])
    #expect(
      StallReport(runtime.report).sentences == [
        "main is held by a job, which has waited for semaphore 1 since 5ms; another job, which may be "
          + "the one to signal it, needs main."
      ])
  }

  @Test func `a step that holds its completion is named`() {
    let step = Step(
      "all", pattern: InOrder(), steps: [.sleep("a", .ms(2)), .never("b"), .never("c")])
    let report = stallReport(step)
    #expect(!report.isDeadlock)
    #expect(report.sentences == ["“b” was started at 2ms and holds its completion."])
  }

  @Test func `a task that waits for a step that holds its completion is named, too`() {
    let step = Step("all", pattern: BlockingQueue(), steps: [.never("a")])
    #expect(
      stallReport(step).sentences == [
        "“a” was started at 0ns and holds its completion.",
        "worker 1 is held by “all” (blocking), which has waited for semaphore 1 since 0ns: “all” waits "
          + "for “a”.",
      ])
  }

  @Test func `a semaphore that can never be signalled`() {
    let step = Step("lost") { _, scope, completion in
      scope.runtime.semaphore(0).wait()
      completion(.success(.none))
    }
    let report = stallReport(step)
    #expect(
      report.sentences == [
        "“lost” has waited for semaphore 1 since 0ns, and nothing is left to signal it."
      ])
    #expect(report.waitersInVain.map(\.semaphore) == [1])
  }

  @Test func `a permit that was never returned`() {
    let step = Step("all") { _, scope, completion in
      let lock = scope.runtime.semaphore(1)
      scope.start(
        Step("taker") { _, _, done in
          lock.wait()
          done(.success(.none))
        }
      ) { _ in
        scope.runtime.pool.schedule {
          lock.wait()
          completion(.success(.none))
        }
      }
    }
    #expect(
      stallReport(step).sentences == [
        "“taker” took a permit of semaphore 1 at 0ns and ended without returning it.",
        "worker 1 is held by “all” (step), which has waited for semaphore 1 since 0ns: “all” waits for "
          + "“taker”.",
      ])
  }

  @Test func `a pattern that forgets a step, and asynchronous code that does not return`() {
    let all = Step("all", pattern: Forgetful(), steps: [.value("a", .none), .value("b", .none)])
    #expect(
      stallReport(all).sentences == [
        "“all” (forgetful) was started at 0ns and does not start “b”."
      ])
    let leaked = Locked<CheckedContinuation<Void, Never>?>(nil)
    let leak = Step(
      "leak",
      run: { _, _ in
        await withCheckedContinuation { continuation in leaked.withLock { $0 = continuation } }
        return .none
      })
    let sentences = stallReport(leak).sentences
    #expect(sentences.count == 1)
    #expect(
      sentences[0].hasPrefix(
        "“leak” was started at 0ns, and waits for a continuation in closure #1 in StallReportTests."
      ), "\(sentences)")
    #expect(sentences[0].contains(" at StallReportTests.swift:"))
    leaked.withLock { $0 }?.resume()
  }

  @Test func `a long chain is abbreviated`() {
    var step = onMain(Step.value("leaf", .none))
    for depth in 1...200 { step = Step("\(depth)", pattern: InOrder(), steps: [step]) }
    let report = stallReport(onMain(Step("whole", pattern: BlockingOn(), steps: [step])))
    #expect(report.isDeadlock)
    #expect(report.sentences.joined().utf8.count < 8_000)
    #expect(report.sentences.joined().contains("more one after another"))
  }

  @Test func `a simulation that waits for nothing reports nothing`() {
    let runtime = SimulatedRuntime()
    runtime.pool.schedule {}
    runtime.runUntilIdle()
    #expect(StallReport(runtime.report).sentences == [])
  }
}

/// Waits on its own lane until its steps have finished.
private struct BlockingOn: AsyncPattern {
  static let manual = Manual(name: "blocking-on", summary: "Waits where it is.", blocksThread: true)
  init(_ arguments: Arguments = Arguments()) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let finished = scope.runtime.semaphore(0)
    for step in steps {
      scope.start(step) { _ in finished.signal() }
      finished.wait()
    }
    completion(.success(.none))
  }
}

/// Starts its first step and then does nothing.
private struct Forgetful: AsyncPattern {
  static let manual = Manual(name: "forgetful", summary: "Starts one step.")
  init(_ arguments: Arguments = Arguments()) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let kept = Locked(completion)
    _ = scope.runtime.atEndOfTurn(order: 0) { _ = kept.withLock { $0 } }
    scope.start(steps[0]) { _ in }
  }
}
