import AsyncPatterns
import OperationGraph

/// `group.naive`: a dispatch group that counts asynchronous work as done when the call that starts it has returned.
struct NaiveGroupPattern: AsyncPattern {
  static let manual = Manual(
    name: "group.naive",
    summary: "A group that counts a step as done when the call that starts it has returned.",
    discussion: """
      This works like dispatch_group_async, NSOperation and barriers with a block that starts \
      asynchronous work: the group is left when the block has returned, and the work continues. \
      Each step is started from a separate worker, and counts as done as soon as that start has \
      returned.

      The trap: the notification comes too early. A step that has not completed by then has no \
      value, so its place in the result is empty; a later failure is lost; and the notified code \
      reads data that is still being written. With synchronous work all is well, so the first test \
      passes. The lint early-notification names the steps that were still running.

      The fix is group: a step enters before it starts, and leaves when it completes. In your own \
      code, use JoinGroup: take a membership before the work starts, and leave where it completes, \
      on every path.
      """,
    flow: .sideBySide, breaks: [.deliversFailure],
    differsFrom: "group, which counts a step as done when it has completed",
    seeAlso: ["group", "gcd.group"],
    examples: [
      """
      group.naive { a: sleep 10ms; b: sleep 20ms }
      expect lints >= 1
      """,
      """
      group { a: sleep 10ms; b: sleep 20ms }
      expect lints == 0
      """,
    ])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let results = StepResults(steps.count)
    let group = JoinGroup("group.naive", runtime: scope.runtime)
    for (index, step) in steps.enumerated() {
      let block = group.membership()
      scope.runtime.pool.schedule {
        if scope.isCancelled {
          results.set(.failure(CancellationError()), at: index)
        } else {
          scope.start(step, input: input) { results.set($0, at: index) }
        }
        // This is the bug that the pattern shows: the block has returned, but the step may not have completed.
        block.leave()
      }
    }
    group.notify(on: .inline) { completion(results.combined) }
  }
}
