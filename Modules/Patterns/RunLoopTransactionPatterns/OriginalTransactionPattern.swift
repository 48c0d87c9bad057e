import AsyncPatterns
import RunLoopTransaction

/// The pattern `transaction.yy`, which commits its steps to `UnlockedTransactions`.
struct OriginalTransactionPattern: AsyncPattern {
  static let manual = Manual(
    name: "transaction.yy",
    summary: "Starts its steps at the end of the main lane's next turn, if it ever takes one.",
    discussion: """
      This works like YYTransaction: a commit adds the step to a set, and an observer of the run \
      loop starts all steps in the set at the end of the turn. Steps with the same key are one \
      entry, as with transaction.

      The traps: a commit does not wake the loop. A commit from main starts when the job that \
      commits it has ended. A commit from elsewhere waits until something else makes the loop take \
      a turn, which may never happen: lost-wakeup. The argument tick makes the loop take one turn, \
      after the given time. A set has no order: steps start in any order. And the set has no lock. If two \
      lanes commit at the same time (from: pool), one may overwrite the commit of the other. That \
      step then never starts: lost-commit. On the virtual clock, seed 0 keeps the order and loses \
      nothing. “explore” finds the schedules that change the order or lose a commit. On the live clock, other work on main may \
      make the loop take a turn soon, late or never: use tick or a time limit. Steps that are \
      cancelled while they wait are reported as well.

      The fix is transaction: it wakes the loop for the first commit, keeps the order, and has a \
      lock.
      """,
    parameters: [
      Parameter(
        "tick", .duration, default: .duration(.zero),
        summary: "when the run loop takes a turn for another reason, once; zero for never"),
      CommitPlace.parameter,
      Parameter(
        "order", .integer(), default: .integer(TransactionQueue.defaultOrder),
        summary: "the position among the actions at the end of a turn; the lower one runs first"),
    ],
    flow: .sideBySide,
    stepOptions: [Parameter("key", .string, summary: "steps with the same key are one entry")],
    breaks: [.completesExactlyOnce],
    examples: [
      """
      set clock virtual
      transaction.yy { a: value 1; b: value 2 }
      expect outcome == unfinished
      """,
      """
      set clock virtual
      transaction.yy(tick: 300ms) { a: value 1; b: value 2 }
      expect makespan >= 300ms
      """,
      "transaction.yy(from: main, tick: 20ms) { a: value 1; b: value 2 }",
    ])

  private let tick: Duration
  private let order: Int
  private let place: CommitPlace

  init(_ arguments: Arguments) throws {
    tick = arguments["tick"] == nil ? .zero : try arguments.duration("tick")
    order =
      arguments["order"] == nil ? TransactionQueue.defaultOrder : try arguments.integer("order")
    place = try CommitPlace(arguments)
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let runtime = scope.runtime
    let set = UnlockedTransactions(order: order, runtime: runtime) {
      scope.mark("flushed", role: .flushed)
    }
    // An empty job makes the run loop take a turn, as if for some other reason.
    let timer = tick > .zero ? runtime.main.schedule(after: tick) {} : nil
    let course = CommittedSteps(steps, input: input, in: scope) { result in
      timer?.cancel()
      set.stop()
      completion(result)
    }
    course.commitAll(from: place) { target, index in
      course.markCommitted(index)
      set.commit(
        .init(target: target, key: target.key) {
          let group = target.takeWaiting()
          if !group.isEmpty { course.start(index, for: group) }
        })
      return nil
    }
  }
}
