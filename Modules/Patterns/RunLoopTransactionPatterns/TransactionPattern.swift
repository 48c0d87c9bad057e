import AsyncPatterns
import RunLoopTransaction

/// The pattern `transaction`, which commits its steps to a `TransactionQueue`.
struct TransactionPattern: AsyncPattern {
  static let manual = Manual(
    name: "transaction",
    summary: "Starts its steps at the end of the main lane's turn, one for each key.",
    discussion: """
      Each step is committed as a transaction to a TransactionQueue. Steps start on main when the \
      run loop is about to wait, in the order of the commits. work and block occupy main there, \
      unless they have the option on: pool. Each step gets the pattern's input; the result is the \
      list of their values in the order written.

      Steps with the same key are one transaction, at the place of the first: the last one starts, \
      and its value is the value of all of them. In one flush, steps with priority: high start \
      first, and those with low last.

      With a budget, no more steps start in a turn once that time is used up; with a batch, at \
      most that many start. The remaining steps start in the next turn, and other jobs of main run \
      in between. A step with again: true commits its transaction again each time it has been \
      performed, like a layout that invalidates itself: after cycle-limit turns the commit is \
      refused, and reported as commit-cycle. The refused commit is not performed, so the pattern \
      fails. If several steps have the same key, the “again” of the last one that started applies.

      The traps are in transaction.yy, which does not wake the loop, keeps no order and has no \
      lock. Here the first transaction wakes the loop, and so does a commit during a flush.
      """,
    parameters: [
      Parameter(
        "budget", .duration, default: .duration(.zero),
        summary: "how much time it may take in a turn; zero for no limit"),
      Parameter(
        "order", .integer(), default: .integer(TransactionQueue.defaultOrder),
        summary: "the position among the actions at the end of a turn; the lower one runs first"),
      Parameter(
        "batch", .integer(1...Int.max),
        summary: "the largest number of steps that start in a turn"),
      Parameter(
        "cycle-limit", .integer(0...1_000_000), default: .integer(1_000),
        summary: "how often in a row a transaction may commit itself again"),
      CommitPlace.parameter,
    ],
    flow: .sideBySide,
    stepOptions: [
      Parameter("key", .string, summary: "steps with the same key are one transaction"),
      Parameter(
        "priority", .word(["high", "normal", "low"]), default: .string("normal"),
        summary: "which step starts first in a turn"),
      Parameter(
        "again", .bool, default: .bool(false),
        summary: "whether it commits itself again each time it has been performed"),
    ],
    examples: [
      "transaction { text: value 1; layout: work 2ms }",
      """
      transaction { a: value 1 with key: "text"; b: value 2; c: value 3 with key: "text" }
      expect count a == 0
      expect order c, b
      """,
      """
      transaction(budget: 4ms) { row: 6 * work 2ms }
      expect makespan >= 12ms
      """,
      """
      transaction(cycle-limit: 5) { layout: value 1 with again: true }
      expect outcome == failure
      expect lints == commit-cycle
      """,
    ])

  private let budget: Duration?
  private let order: Int
  private let batchLimit: Int?
  private let cycleLimit: Int
  private let place: CommitPlace

  init(_ arguments: Arguments) throws {
    let time = arguments["budget"] == nil ? .zero : try arguments.duration("budget")
    budget = time > .zero ? time : nil
    order =
      arguments["order"] == nil ? TransactionQueue.defaultOrder : try arguments.integer("order")
    batchLimit = arguments["batch"] == nil ? nil : try arguments.integer("batch")
    cycleLimit = arguments["cycle-limit"] == nil ? 1_000 : try arguments.integer("cycle-limit")
    place = try CommitPlace(arguments)
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let queue = makeQueue(on: scope.runtime)
    let course = CommittedSteps(steps, input: input, in: scope) { result in
      withExtendedLifetime(queue) { completion(result) }
    }
    let transactions = StepTransactions(steps, of: course, to: queue, in: scope)
    course.commitAll(from: place) { transactions.commit($0, $1) }
  }

  private func makeQueue(on runtime: any Runtime) -> TransactionQueue {
    guard let budget else {
      return TransactionQueue(
        "transaction", order: order, batchLimit: batchLimit, cycleLimit: cycleLimit,
        runtime: runtime)
    }
    return TransactionQueue(
      "transaction", sharing: TurnBudget(budget, runtime: runtime), order: order,
      batchLimit: batchLimit, cycleLimit: cycleLimit)
  }
}
