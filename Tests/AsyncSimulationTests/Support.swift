import AsyncSimulation

/// Keeps the events of a simulation as text.
final class Recording: TraceSink {
  private let lines = Locked<[String]>([])

  var events: [String] { lines.withLock { $0 } }

  func record(_ event: TraceEvent) {
    let outcome = event.outcome.map { "\($0)" } ?? "-"
    let cause = "\(event.cause.kind) \(event.cause.span.id)"
    let line = """
      \(event.time.nanoseconds) \(event.kind) lane \(event.lane.number) span \(event.span.id) \
      parent \(event.parent.id) \(outcome) \(cause) \(event.number) \(event.name) \(event.detail)
      """
    lines.withLock { $0.append(line) }
  }

  func events(_ kind: String) -> [String] {
    events.filter { $0.split(separator: " ")[1] == kind }
  }
}

/// A log of what happened, in order.
final class Log: Sendable {
  private let lines = Locked<[String]>([])

  var entries: [String] { lines.withLock { $0 } }
  func append(_ entry: String) { lines.withLock { $0.append(entry) } }
}

/// Runs its steps one after another.
struct InOrder: AsyncPattern {
  static let manual = Manual(name: "in-order", summary: "One after another.")
  init(_ arguments: Arguments = Arguments()) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard let first = steps.first else { return completion(.success(input)) }
    scope.start(first, input: input) { result in
      switch result {
      case .success(let value):
        start(Array(steps.dropFirst()), input: value, in: scope, completion: completion)
      case .failure: completion(result)
      }
    }
  }
}

/// Starts all of its steps at the same time.
struct AtOnce: AsyncPattern {
  static let manual = Manual(name: "at-once", summary: "All at the same time.", flow: .sideBySide)
  init(_ arguments: Arguments = Arguments()) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let left = Locked(steps.count)
    for step in steps {
      scope.start(step, input: input) { _ in
        let isLast = left.withLock { left in
          left -= 1
          return left == 0
        }
        if isLast { completion(.success(input)) }
      }
    }
  }
}

/// A queue that starts each step on a serial scheduler, and blocks its worker until the step has finished.
struct BlockingQueue: AsyncPattern {
  static let manual = Manual(name: "blocking", summary: "Blocks a worker.", blocksThread: true)
  init(_ arguments: Arguments = Arguments()) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let queue = scope.runtime.serial("queue")
    let finished = scope.runtime.semaphore(0)
    for step in steps {
      queue.schedule {
        scope.start(step, input: input) { _ in finished.signal() }
        finished.wait()
      }
    }
    queue.schedule { completion(.success(input)) }
  }
}

/// Runs `step` and returns its result.
func run(_ step: Step, on runtime: SimulatedRuntime) -> Result<Value, any Error>? {
  let result = Locked<Result<Value, any Error>?>(nil)
  Run(step, on: runtime) { settled in result.withLock { $0 = settled } }
  runtime.runUntilIdle()
  return result.withLock { $0 }
}

extension Duration {
  static func ms(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }
}

extension Instant {
  static func ms(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }
}

func onMain(_ step: Step) -> Step {
  var step = step
  step.options["on"] = .string("main")
  return step
}

/// Keeps the events of a simulation.
final class EventRecording: TraceSink {
  private let recorded = Locked<[TraceEvent]>([])
  var events: [TraceEvent] { recorded.withLock { $0 } }
  func record(_ event: TraceEvent) { recorded.withLock { $0.append(event) } }
}
