import AsyncPatterns
import PatternTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct LiveOccupationTests {
  private let recording = Recording()
  private let runtime: LiveRuntime

  init() { runtime = LiveRuntime(workers: 4, trace: recording) }

  @Test func `work is recorded with its processor time`() async throws {
    await settled(.work("w", .milliseconds(3)))
    let worked = try #require(recording.events.first { $0.kind == .worked })
    #expect(worked.number >= 3_000_000)
    #expect(worked.span == span(of: "w"))
    #expect(!recording.events.contains { $0.kind == .blocked })
  }

  @Test func `a blocked interval is recorded on behalf of the step`() async throws {
    await settled(.block("b", .milliseconds(2)))
    let blocked = try #require(recording.events.first { $0.kind == .blocked })
    let unblocked = try #require(recording.events.first { $0.kind == .unblocked })
    #expect(blocked.span == span(of: "b") && unblocked.span == span(of: "b"))
    #expect(blocked.lane == unblocked.lane && blocked.lane != .main)
    #expect(blocked.time.duration(to: unblocked.time) >= .milliseconds(2))
  }

  @Test func `a wait for a semaphore is recorded on behalf of the waiting step`() async {
    let runtime = runtime
    let waiting = Step("waiting") { _, scope, completion in
      let semaphore = scope.runtime.semaphore(1)
      semaphore.wait()
      runtime.main.schedule { semaphore.signal() }
      semaphore.wait()
      completion(.success(.none))
    }
    await settled(Step("all", pattern: OneByOne(), steps: [.value("v", .none), waiting]))
    let blocked = recording.events.filter { $0.kind == .blocked }
    // At most one: the signal may have come before the second wait.
    #expect(blocked.count <= 1)
    #expect(blocked.allSatisfy { $0.span == span(of: "waiting") })
  }

  @Test func `a permit from a job that waited for the stack blocks no thread`() async {
    let pattern = Blocking()
    await settled(Step("blocking", pattern: pattern, steps: [.value("v", .integer(1))]))
    #expect(!recording.events.contains { $0.kind == .blocked })
  }

  @Test(arguments: [-1, 0, 3, Int.max])
  func `a semaphore has as many permits as given`(value: Int) async {
    let semaphore = runtime.semaphore(value)
    for _ in 0..<min(max(value, 0), 1_000) { semaphore.wait() }
    #expect(!recording.events.contains { $0.kind == .blocked })
    guard value < 1_000 else { return }
    // The next wait needs a signal.
    let signalled = Locked(false)
    await ended { end in
      runtime.pool.schedule {
        semaphore.wait()
        #expect(signalled.withLock { $0 })
        end()
      }
      runtime.main.schedule(after: .milliseconds(1)) {
        signalled.withLock { $0 = true }
        semaphore.signal()
      }
    }
  }

  @Test(arguments: [Step.work("x", .seconds(Int64.max)), .block("x", .seconds(Int64.max))])
  func `an endless occupation is cancelled`(step: Step) async {
    let result = await withCheckedContinuation { continuation in
      let run = Run(step, on: runtime) { continuation.resume(returning: $0) }
      runtime.main.schedule(after: .milliseconds(2)) { run.cancel() }
    }
    #expect(throws: CancellationError.self) { try result.get() }
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
  func `a duration of zero or less takes no time`(duration: Duration) async throws {
    let result = await settled(
      Step(
        "all", pattern: OneByOne(),
        steps: [.work("w", duration), .block("b", duration), .sleep("s", duration)]))
    #expect(throws: Never.self) { try result.get() }
  }

  @Test func `code runs on behalf of the same step after a hop`() async {
    let seen = Locked<[Span]>([])
    let hopping = Step("hopping") { _, scope, completion in
      let note: @Sendable () -> Void = {
        seen.withLock { $0.append(LaneContext.current.span) }
      }
      let serial = scope.runtime.serial("s")
      note()
      scope.runtime.pool.schedule {
        note()
        scope.runtime.main.schedule {
          note()
          serial.schedule {
            note()
            serial.schedule(after: .milliseconds(1)) {
              note()
              completion(.success(.none))
            }
          }
        }
      }
    }
    await settled(hopping)
    #expect(seen.withLock { $0 } == Array(repeating: span(of: "hopping"), count: 5))
  }

  @Test func `an asynchronous body that is resumed elsewhere runs on behalf of its step`() async {
    let other = LiveRuntime(workers: 1)
    let body = Step("body") { _, scope in
      await ended { end in other.pool.schedule { foreign(end) } }
      scope.runtime.work(for: .microseconds(100))
      return .none
    }
    await settled(body)
    let worked = recording.events.filter { $0.kind == .worked }
    #expect(worked.map(\.span) == [span(of: "body")])
  }

  @discardableResult
  private func settled(_ step: Step) async -> Result<Value, any Error> {
    await withCheckedContinuation { continuation in
      Run(step, on: runtime) { continuation.resume(returning: $0) }
    }
  }

  private func span(of label: String) -> Span {
    recording.events.first { $0.kind == .submitted && $0.name == label }?.span ?? .none
  }
}

/// Runs `body` on behalf of a step of another run.
private func foreign(_ body: @escaping @Sendable () -> Void) {
  let runtime = LiveRuntime(workers: 1, trace: Recording())
  let steps: [Step] = (1...5).map { .value("v-\($0)", .none) }
  let bringing = Step("bringing") { _, _, completion in
    body()
    completion(.success(.none))
  }
  Run(Step("all", pattern: OneByOne(), steps: steps + [bringing]), on: runtime) { _ in }
}

/// Starts its step and blocks until the step has completed.
struct Blocking: AsyncPattern {
  static let manual = Manual(
    name: "blocking", summary: "Blocks until its step has completed.", blocksThread: true)

  init() {}
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let semaphore = scope.runtime.semaphore(0)
    let result = Locked<Result<Value, any Error>>(.success(.none))
    scope.start(steps[0], input: input) { ended in
      result.withLock { $0 = ended }
      semaphore.signal()
    }
    semaphore.wait()
    completion(result.withLock { $0 })
  }
}
