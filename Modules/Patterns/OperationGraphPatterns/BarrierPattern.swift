import AsyncPatterns
import OperationGraph

/// `barrier`: steps that run in parallel, some of which run alone.
struct BarrierPattern: AsyncPattern {
  static let manual = Manual(
    name: "barrier",
    summary:
      "Runs its steps in parallel; a barrier waits for earlier steps, and later steps wait for it.",
    discussion: """
      This works like a concurrent Dispatch queue with barrier blocks. Steps start immediately; a \
      step “with barrier: true” starts when all steps written before it have completed, and the \
      steps after it start when it has completed. Each gets the pattern's input, and the result is \
      the list of their values in the order written. After a failure no further stage starts, and \
      with a width no further step; the first failure is the result when the running steps have \
      ended. After a cancellation, no more steps start.

      The trap is the same as everywhere in Dispatch: dispatch_barrier_async waits until the blocks before it \
      have returned. Asynchronous work that they started still runs, or has not started, when the \
      barrier runs. On a global queue a barrier has no effect. Here a step ends when it reports \
      that it is done.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...Int.max),
        summary: "how many steps run at the same time; no limit unless given")
    ],
    flow: .sideBySide, failure: .stops,
    stepOptions: [
      Parameter(
        "barrier", .bool,
        summary: "whether it runs alone, after all steps before it and before all after it")
    ],
    seeAlso: ["group", "graph"],
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
    work.run(completion: completion) {
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
