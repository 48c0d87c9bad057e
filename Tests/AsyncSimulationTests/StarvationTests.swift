import AsyncSimulation
import Testing

@Suite struct StarvationTests {
  func starved(_ steps: [Step], workers: Int = 4) -> [String] {
    let recording = EventRecording()
    let runtime = SimulatedRuntime(workers: workers, trace: recording)
    _ = run(Step("all", pattern: AtOnce(), steps: steps), on: runtime)
    let names = Dictionary(
      recording.events.filter { $0.kind == .submitted }.map { ($0.span, $0.name) },
      uniquingKeysWith: { $1 })
    return recording.events.filter { $0.kind == .misuse && $0.name == "starvation" }.map {
      "\($0.time.nanoseconds / 1_000_000) \(names[$0.span] ?? "-") \($0.detail)"
    }
  }

  @Test func `a job that finds all workers blocked is reported once`() {
    let queues = (1...3).map {
      Step(
        "q\($0)", pattern: BlockingQueue(),
        steps: ["a", "b", "c", "d"].map { onMain(.sleep($0, .ms(10))) })
    }
    let found = "was ready and found no worker: all 2 were held, 2 of them blocked"
    #expect(starved(queues, workers: 2) == ["0 q3 \(found)", "10 q2 \(found)", "20 q1 \(found)"])
  }

  @Test func `queued work starves nothing`() {
    #expect(starved((1...8).map { .work("\($0)", .ms(10)) }) == [])
    #expect(starved((1...8).map { .sleep("\($0)", .ms(10)) }) == [])
  }

  @Test func `one blocked worker among busy ones is enough`() {
    let steps: [Step] = [
      .work("a", .ms(5)), .block("b", .ms(20)), .work("c", .ms(5)), .work("d", .ms(1)),
    ]
    #expect(
      starved(steps, workers: 2) == [
        "0 c was ready and found no worker: all 2 were held, 1 of them blocked",
        "0 d was ready and found no worker: all 2 were held, 1 of them blocked",
      ])
  }

  @Test func `a worker that is free again no longer counts as held`() {
    let steps: [Step] = [.block("a", .ms(5)), .work("b", .ms(20))]
    let later = Step(
      "later", pattern: InOrder(), steps: [.sleep("wait", .ms(6)), .work("c", .ms(1))])
    #expect(starved(steps + [later], workers: 2) == [])
  }

  @Test func `cancelled jobs starve nothing`() {
    let recording = EventRecording()
    let runtime = SimulatedRuntime(workers: 1, trace: recording)
    runtime.pool.schedule {
      runtime.pool.schedule(after: .zero) {}.cancel()
      runtime.block(for: .ms(1))
    }
    runtime.runUntilIdle()
    #expect(recording.events.filter { $0.kind == .misuse }.isEmpty)
  }

  @Test func `a signal wakes the waiting thread`() {
    let recording = EventRecording()
    let runtime = SimulatedRuntime(trace: recording)
    let steps: [Step] = [onMain(.sleep("a", .ms(20))), onMain(.sleep("b", .ms(10)))]
    _ = run(Step("queue", pattern: BlockingQueue(), steps: steps), on: runtime)
    let wakeUps = recording.events.filter { $0.kind == .unblocked }
    #expect(
      wakeUps.map(\.cause) == [Cause(.wakeUp, Span(id: 2)), Cause(.wakeUp, Span(id: 3))])
    #expect(wakeUps.map(\.span) == [Span(id: 1), Span(id: 1)])
    #expect(wakeUps.map(\.time) == [.ms(20), .ms(30)])
    #expect(wakeUps.map(\.lane.number) == [1, 1])
  }

  @Test func `a step that took a permit names the step that gave it`() {
    let recording = EventRecording()
    let step = Step("whole") { _, scope, completion in
      let semaphore = scope.runtime.semaphore(1)
      scope.start(Step("a") { _, _, completion in completion(.success(.none)) }) { _ in
        semaphore.signal()
      }
      // The semaphore had the first permit from the start.
      for _ in 1...2 { semaphore.wait() }
      completion(.success(.none))
    }
    _ = run(step, on: SimulatedRuntime(trace: recording))
    let end = recording.events.last { $0.kind == .finished }
    #expect(end?.span == Span(id: 1))
    #expect(end?.cause == Cause(.permit, Span(id: 2)))
    #expect(recording.events.allSatisfy { $0.kind != .blocked })
  }
}
