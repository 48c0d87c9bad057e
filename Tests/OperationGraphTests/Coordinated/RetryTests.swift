import AsyncSimulation
import OperationGraph
import Testing

@Suite struct RetryTests {
  private let stage = Stage()

  @Test func `a failed attempt is followed by another, with growing delays`() throws {
    var graph = OperationGraph()
    let attempts = Locked(0)
    let flaky = graph.add(
      "flaky", with: .retry(4, backoff: .exponential(.ms(10), jitter: .none))
    ) { [stage] () throws -> Int in
      stage.log.append("\(stage.milliseconds)")
      let attempt = attempts.withLock { count in
        count += 1
        return count
      }
      if attempt < 4 { throw StepFailure("attempt \(attempt)") }
      return attempt
    }
    let after = graph.add("after", flaky) { $0 * 2 }
    let run = try graph.launch(isRecording: true, runtime: stage.runtime)
    stage.finish()
    #expect(stage.log.entries == ["0", "10", "30", "70"])
    #expect(run.outcome(of: after)?.value == 8)
    #expect(run.records?.map(\.attempts) == [4, 1])
  }

  @Test(arguments: [Backoff.Jitter.half, .full])
  func `jitter shortens a delay by a random part`(_ jitter: Backoff.Jitter) throws {
    var graph = OperationGraph()
    graph.add("flaky", with: .retry(2, backoff: .constant(.ms(1000), jitter: jitter))) {
      [stage] () throws in
      stage.log.append("\(stage.milliseconds)")
      throw StepFailure("no")
    }
    _ = try graph.launch(runtime: stage.runtime)
    stage.finish()
    #expect(stage.log.entries.first == "0")
    let second = try #require(stage.log.entries.last.flatMap { Int($0) })
    #expect((jitter == .half ? 500..<1000 : 1..<1000).contains(second))
  }

  @Test func `the last failure counts, and its place is free during the delay`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion(
      "bad", of: String.self, with: .retry(2, backoff: .constant(.ms(20))),
      perform: stage.fail("bad", 1))
    graph.addWithCompletion("other", of: String.self, perform: stage.work("other", 5))
    let run = try graph.launch(width: 1, onFailure: .continue, runtime: stage.runtime)
    stage.finish()
    #expect(stage.log.entries == ["bad+0", "bad-1", "other+1", "other-6", "bad+21", "bad-22"])
    #expect(run.progress.failed == 1)
  }

  @Test func `a cancelled operation is not retried`() throws {
    var graph = OperationGraph()
    let waits = graph.addWithCompletion(
      "waits", of: String.self, with: .retry(9, backoff: .constant(.ms(50))),
      perform: stage.fail("waits", 1))
    let runs = graph.addWithCompletion(
      "runs", of: String.self, with: .retry(9), perform: stage.work("runs", 50))
    let run = try graph.launch(onFailure: .continue, runtime: stage.runtime)
    stage.at(5) {
      run.cancel(waits)
      run.cancel(runs)
    }
    stage.finish()
    #expect(stage.milliseconds == 5)
    #expect(
      run.states([("waits", waits), ("runs", runs)]) == ["waits: cancelled", "runs: cancelled"])
  }

  @Test(arguments: OperationGraph.FailurePolicy.allCases)
  func `an operation that throws its own error when it is cancelled has not failed`(
    policy: OperationGraph.FailurePolicy
  ) throws {
    var graph = OperationGraph()
    let download = graph.addWithCompletion("download", of: String.self, with: .retry(9)) { done in
      done.onCancel { done(throwing: StepFailure("the connection was closed")) }
    }
    let other = graph.addWithCompletion("other", of: String.self, perform: stage.work("other", 9))
    let run = try graph.launch(onFailure: policy, runtime: stage.runtime)
    stage.at(5) { run.cancel(download) }
    stage.finish()
    #expect(run.failure == nil)
    #expect(
      run.states([("download", download), ("other", other)])
        == ["download: cancelled", "other: succeeded"])
  }

  @Test func `the same holds if the run is cancelled, too`() throws {
    var graph = OperationGraph()
    let download = graph.addWithCompletion("download", of: String.self) { [stage] done in
      done.onCancel {
        stage.at(2) { done(throwing: StepFailure("the connection was closed")) }
      }
    }
    let run = try graph.launch(runtime: stage.runtime)
    stage.at(5) {
      run.cancel(download)
      run.cancel()
    }
    stage.finish()
    #expect(run.failure == nil)
    #expect("\(run.state(of: download))" == "cancelled")
  }

  @Test func `a failure elsewhere cancels a pending retry`() throws {
    var graph = OperationGraph()
    let waits = graph.addWithCompletion(
      "waits", of: String.self, with: .retry(9, backoff: .constant(.ms(50))),
      perform: stage.fail("waits", 1))
    graph.addWithCompletion("bad", of: String.self, perform: stage.fail("bad", 5))
    let run = try graph.launch(runtime: stage.runtime)
    stage.finish()
    #expect(stage.milliseconds == 5)
    #expect("\(run.state(of: waits))" == "cancelled")
  }

  @Test func `an operation that times out fails, is notified, and is not waited for`() throws {
    var graph = OperationGraph()
    let notified = Locked(0)
    let slow = graph.addWithCompletion(
      "slow", of: Int.self, with: .timeout(.ms(10))
    ) { [stage] done in
      done.onCancel { notified.withLock { $0 = stage.milliseconds } }
      stage.at(30) { done(.success(1)) }
    }
    let run = try graph.launch(runtime: stage.runtime) { [stage] _ in
      stage.log.append("finished at \(stage.milliseconds)")
    }
    stage.finish()
    #expect(stage.log.entries == ["finished at 10"])
    #expect(notified.withLock { $0 } == 10)
    #expect("\(run.state(of: slow))" == "failed: “slow” timed out after 10ms")
  }

  @Test func `each attempt has its own timeout and its own cancellation`() throws {
    var graph = OperationGraph()
    let attempts = Locked(0)
    let clock = SchedulerClock(stage.runtime.pool)
    let slow = graph.add("slow", with: .timeout(.ms(10)), .retry(3, backoff: .constant(.ms(5)))) {
      [stage] () async throws -> Int in
      let attempt = attempts.withLock { count in
        count += 1
        return count
      }
      stage.log.append("\(attempt)+\(stage.milliseconds)")
      try await clock.sleep(
        until: clock.now.advanced(by: .ms(attempt < 3 ? 100 : 5)))
      return attempt
    }
    let run = try graph.launch(runtime: stage.runtime)
    stage.finish()
    #expect(stage.log.entries == ["1+0", "2+15", "3+30"])
    #expect(run.outcome(of: slow)?.value == 3)
    #expect(stage.milliseconds == 35)
  }

  @Test func `a function that exceeded its timeout fails when it returns`() throws {
    var graph = OperationGraph()
    let slow = graph.add("slow", with: .timeout(.ms(10))) { [stage] in
      stage.runtime.work(for: .ms(20))
    }
    let run = try graph.launch(runtime: stage.runtime)
    stage.finish()
    #expect(run.failure as? TimedOut == TimedOut("slow", after: .ms(10)))
    #expect("\(run.state(of: slow))".hasPrefix("failed"))
  }

  @Test func `an operation that ends in time leaves no timer`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion(
      "quick", of: String.self, with: .timeout(.seconds(9)), perform: stage.work("quick", 1))
    _ = try graph.launch(runtime: stage.runtime)
    stage.finish()
    #expect(stage.milliseconds == 1)
  }
}
