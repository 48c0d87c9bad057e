import AsyncPatterns
import OperationGraph

/// `group.naive`: a dispatch group around asynchronous work, without enter and leave.
struct NaiveGroupPattern: AsyncPattern {
  static let manual = Manual(
    name: "group.naive",
    summary: "A group that counts a step as done when the call that starts it has returned.",
    discussion: """
      The way of dispatch_group_async, NSOperation and barriers where the block starts asynchronous work: \
      the group is left when the block has returned, and the work goes on. Each step is started from a \
      worker of its own, and counts as done as soon as that start has returned.

      The trap: the notification comes too early. What has not completed by then has no value, so its place \
      in the result is empty; a failure that comes later gets lost; and whoever was notified reads what \
      is still being written. With synchronous work all is well, which is why it passes the first test. The \
      lint early-notification names the steps that still ran.

      The way out is group: a step enters before it starts, and leaves when it completes. In code of one's \
      own that is JoinGroup: take a membership before the work starts, and leave where it completes, on \
      every path.
      """,
    flow: .sideBySide, breaks: [.deliversFailure],
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
        // The fault: the block has returned, but the step may not have completed.
        block.leave()
      }
    }
    group.notify(on: .inline) { completion(results.combined) }
  }
}
