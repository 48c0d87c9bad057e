import AsyncPatterns
import RunLoopTransaction

/// `transaction.yy`: steps in `UnlockedTransactions`.
struct OriginalTransactionPattern: AsyncPattern {
  static let manual = Manual(
    name: "transaction.yy",
    summary: "Starts its steps at the end of the main lane's turn, if there is one.",
    discussion: """
      The way of YYTransaction: a commit puts the step into a set, and an observer of the run loop starts all \
      that are in the set at the end of the turn. Steps of one key are one entry, as with transaction.

      The traps: nobody wakes the loop. What is committed from main is started when the job that commits \
      it has ended; from elsewhere it waits until something else has the loop take a turn, which may be never: \
      lost-wakeup. tick lets something else do so once, after that time. A set has no order: steps start \
      in any. And nothing guards it: of two lanes that commit at the same time (from: pool) one may overwrite \
      what the other has written, and that step never starts: lost-commit. On the virtual clock seed 0 keeps \
      the order and loses nothing; explore finds the schedules that do not. On the live clock whatever else \
      happens on main soon has the loop take a turn, or late, or never: give it a tick, or a time limit; what is \
      called off while it waits is told as well.

      The way out is transaction: it wakes the loop for the first commit, keeps the order, and has a lock.
      """,
    parameters: [
      Parameter(
        "tick", .duration, default: .duration(.zero),
        summary: "when something else has the run loop take a turn, once; zero for never"),
      CommitPlace.parameter,
      Parameter(
        "order", .integer(), default: .integer(TransactionQueue.defaultOrder),
        summary: "where among all that is done at the end of a turn; the lower comes first"),
    ],
    flow: .sideBySide,
    stepOptions: [Parameter("key", .string, summary: "steps of one key are one entry")],
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
    // A turn of the run loop for some other reason.
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
