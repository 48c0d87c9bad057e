import AsyncPatterns

/// The patterns of the language itself, for comparison.
public struct SwiftConcurrency: Plugin {
  public static let name = "SwiftConcurrency"
  public static let summary = "Plain async functions: a loop that awaits, and a task group."
  public static let patterns: [any AsyncPattern.Type] = [AwaitingLoop.self, TaskGroups.self]
}

/// `swift.sequence`: a loop that awaits each step.
struct AwaitingLoop: AsyncPattern {
  static let manual = Manual(
    name: "swift.sequence",
    summary: "Awaits its steps one after another in a loop.",
    discussion: """
      An async function with a loop: each step's value is the next one's input; a failure is \
      thrown and ends the loop. It runs in a task on the runtime's pool, so it works with either \
      clock.

      Its cost is a suspension and a hop for each step, even for steps that complete immediately. \
      The trap is in awaiting a step: if the continuation is never resumed, the task waits \
      forever. Here the library reports the completion that is never called.
      """,
    ordering: .keepsOrder,
    differsFrom: "serial, where a step that completes immediately costs no hop",
    seeAlso: ["serial", "promise", "swift.taskgroup"],
    examples: ["swift.sequence { fetch: sleep 20ms; parse: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    scope.runTask(completion) {
      var value = input
      for step in steps { value = try await scope.run(step, input: value) }
      return value
    }
  }
}

/// `swift.taskgroup`: a child task for each step.
struct TaskGroups: AsyncPattern {
  static let manual = Manual(
    name: "swift.taskgroup",
    summary: "Runs its steps in parallel as child tasks, at most “width” at the same time.",
    discussion: """
      A throwing task group with a child task for each step; the values are in step order. The \
      first failure is the result: it cancels the others, and the group waits until they have \
      ended. With a width, the end of one child task adds the next, so no thread waits. It runs on \
      the runtime's pool, so it works with either clock.

      The trap: a group has no limit of its own. Adding all child tasks starts them all.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...1_000_000),
        summary: "how many steps run at the same time; all unless given")
    ],
    flow: .sideBySide, failure: .cancels,
    differsFrom: "group and bounded, where a failure cancels no running step",
    seeAlso: ["group", "bounded", "all", "swift.sequence"],
    examples: ["swift.taskgroup(width: 2) { a: sleep 20ms; b: sleep 10ms; c: sleep 20ms }"])

  private let width: Int?

  init(_ arguments: Arguments) throws {
    width = arguments["width"] == nil ? nil : try arguments.integer("width")
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    scope.runTask(completion) {
      try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        var values = [Value](repeating: .none, count: steps.count)
        var waiting = steps.enumerated().makeIterator()
        func addNext() {
          guard let (index, step) = waiting.next() else { return }
          group.addTask { (index, try await scope.run(step, input: input)) }
        }
        for _ in 0..<min(width ?? steps.count, steps.count) { addNext() }
        while let (index, value) = try await group.next() {
          values[index] = value
          addNext()
        }
        return .list(values)
      }
    }
  }
}

extension Scope {
  /// Starts a step and suspends until it has ended; cancelling the task cancels the step. After a cancellation no step
  /// starts.
  fileprivate func run(_ step: Step, input: Value) async throws -> Value {
    try checkCancellation()
    try Task.checkCancellation()
    let scope = cancellable()
    let (result, origin) = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        scope.start(step, input: input) {
          continuation.resume(returning: ($0, LaneContext.current.origin(on: runtime.pool)))
        }
      }
    } onCancel: {
      scope.cancel()
    }
    // The step may have ended immediately. The code after it runs because of that end, too.
    LaneContext.current.continueFrom(origin)
    return try result.get()
  }

  /// Runs an async function in a task on the pool. Cancelling the scope cancels the task.
  fileprivate func runTask(
    _ completion: @escaping Completion, _ body: @escaping @Sendable () async throws -> Value
  ) {
    let executor = SchedulerExecutor(runtime.pool)
    runtime.asynchronousBodyStarted(span)
    let task = Task(executorPreference: executor) { try await body() }
    let registration = onCancel { task.cancel() }
    Task(executorPreference: executor) {
      let result = await task.result
      registration.dispose()
      runtime.asynchronousBodyEnded(span)
      completion(result)
    }
  }
}
