import AsyncPatterns
import OperationGraph

/// `bounded.semaphore`: a group whose caller waits for a permit before each step.
struct BlockingBoundedPattern: AsyncPattern {
  static let manual = Manual(
    name: "bounded.semaphore",
    summary:
      "Runs a limited number of steps in parallel; the caller is blocked until the last one has started.",
    discussion: """
      This works like a dispatch group with a semaphore: before each step the calling thread waits \
      for a permit, and the end of a step releases one. Each step gets the pattern's input, and \
      the result is the list of their values in the order written; the first failure is the result \
      once all have ended.

      The traps: the caller is blocked until the last step has started. On the main thread this \
      freezes the program. On a worker, as here, the pool has one fewer worker. If each worker \
      is such a caller, all of them wait forever (try “set workers 1” and work steps). A step that \
      never completes keeps its permit, and the caller stays blocked. A step that completes twice \
      (try twice) releases two permits, and from then on one more runs than the limit allows. A \
      cancellation does not end the wait.

      The fix is bounded: steps wait in a list, and no thread is blocked. In your own code, use \
      AsyncSemaphore, which suspends the task, or calls a handler when there is a permit.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...Int.max), default: .integer(2),
        summary: "how many steps run at the same time")
    ],
    flow: .sideBySide, isUnguarded: true, blocksThread: true, breaks: [.blocksNoThread],
    differsFrom: "bounded, which blocks no thread",
    seeAlso: ["bounded", "gcd.semaphore"],
    examples: [
      """
      bounded.semaphore(2) { 4 * sleep 10ms }
      expect blocked > 0ms
      """,
      """
      bounded.semaphore(1) { a: twice 5ms; b: sleep 20ms; c: sleep 20ms }
      expect lints >= 1
      """,
      """
      bounded(2) { 4 * sleep 10ms }
      expect blocked == 0ms
      """,
    ])

  private let width: Int

  init(_ arguments: Arguments) throws { width = try arguments.integer("width") }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let results = StepResults(steps.count)
    let group = JoinGroup("bounded.semaphore", runtime: scope.runtime)
    let permits = scope.runtime.semaphore(width)
    // The caller is a member too, until it has started all steps.
    let caller = group.membership()
    for (index, step) in steps.enumerated() {
      permits.wait()
      if scope.isCancelled {
        results.set(.failure(CancellationError()), at: index)
        permits.signal()
        continue
      }
      let membership = group.membership()
      scope.runtime.pool.schedule {
        guard !scope.isCancelled else {
          results.set(.failure(CancellationError()), at: index)
          permits.signal()
          return membership.leave()
        }
        scope.start(step, input: input) { result in
          // This pattern reproduces the bug of the original: a second completion releases a second permit.
          permits.signal()
          guard !membership.isFinished else { return }
          results.set(result, at: index)
          membership.leave()
        }
      }
    }
    caller.leave()
    group.notify(on: .inline) { completion(results.combined) }
  }
}
