import AsyncPatterns
import OperationGraph

/// `barrier`: steps that run in parallel, some of which run alone.
struct BarrierPattern: AsyncPattern {
  static let manual = Manual(
    name: "barrier",
    summary:
      "Runs its steps side by side, but a barrier alone: after all before it, before all after it.",
    discussion: """
      The way of a concurrent Dispatch queue and its barrier blocks. Steps start at once, those “with barrier: true” \
      when all that are written before them have completed; what is written after a barrier starts when that has \
      completed. Each gets the pattern's input, and the result is the list of their values in the order written. \
      After a failure no stage begins that has not begun, and with a width nothing that has not; the first failure \
      is the result when what runs has ended. Cancelling starts nothing more.

      The trap is that of all of Dispatch: dispatch_barrier_async waits until the blocks before it have \
      returned, and asynchronous work that they started is still under way, or has not begun, when the barrier \
      runs. On a global queue a barrier is none at all. Here a step ends when it says so.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...Int.max),
        summary: "how many steps run at once; as many as may unless given")
    ],
    flow: .sideBySide, failure: .stops,
    stepOptions: [
      Parameter(
        "barrier", .bool,
        summary: "whether it runs alone, and parts those before it from those after it")
    ],
    examples: [
      """
      barrier { read: 3 * sleep 10ms; write: sleep 5ms with barrier: true; again: 2 * sleep 10ms }
      expect makespan >= 25ms
      expect blocked == 0ms
      """,
      """
      barrier { a: sleep 5ms; b: fail "no such page"; c: value 1 with barrier: true; d: value 2 }
      expect outcome == failure
      expect count c == 0
      """,
    ])

  private let width: Int

  init(_ arguments: Arguments) throws {
    width = arguments["width"] == nil ? .max : try arguments.integer("width")
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let work = StepOperations(
      steps, width: width, input: input, in: scope, stopsAtFailure: true, called: "barrier")
    work.run(completion: completion) { () throws(AsyncOperationError) in
      for (step, operation) in zip(steps, work.operations) {
        if case .bool(true)? = step.options["barrier"] {
          try work.queue.addBarrier(operation)
        } else {
          try work.queue.addOperation(operation)
        }
      }
    }
  }
}
