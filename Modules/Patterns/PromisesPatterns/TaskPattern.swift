import AsyncPatterns
import Promises

/// `task`: steps as tasks in the style of Bolts, each with its list of continuations.
struct TaskPattern: AsyncPattern {
  static let manual = Manual(
    name: "task",
    summary: "Each step is a task, and continues the one before it, or those that “after” names.",
    discussion: """
      This is how Bolts does it. A task keeps a list of continuations. continueWith adds one to \
      it, and yields a new task with its own list; trySetResult takes the list and runs its \
      continuations, in order. Here each step continues the step written before it, or the one \
      that “after” names; so several steps can be in one task's list. A step after several others \
      continues the task of all of them. Its input is the value of the step that it continues: for \
      several, the list of their values.

      A step runs if the step that it continues has succeeded (continueOnSuccessWith); with “when: \
      failure”, if that has failed (continueOnErrorWith); with “when: always”, in either case \
      (continueWith). After a failure its input is the error, as text. A step that does not run \
      passes on the result of the step that it continues. So a failure is passed down each list \
      until a step handles it; after that it is gone. When all tasks have ended, the result is the \
      last one's value. If tasks without continuations have failed, the result is the failure of \
      the first of them, in the order written. After a cancellation, no more steps start, whatever \
      their “when”.

      The executor runs the continuations: immediately, on the lane that completes the task; on \
      main; or on the pool.

      The original has four traps. Immediate continuations run inside each other, and ten thousand \
      of them overflow the stack; so its default executor moves to another queue at every \
      twentieth. continueWith turns a failure into a success if its block does not check for it. \
      Calling set on a completed task ends the program. A source that is released without a result leaves \
      its task pending forever. Here the list runs in a loop, however long the chain, and the last \
      two mistakes are reported.
      """,
    parameters: [
      Parameter(
        "executor", .word(["immediate", "main", "pool"]), default: .string("immediate"),
        summary: "where continuations run")
    ],
    failure: .own, ordering: .byDependency,
    stepOptions: [
      Parameter(
        "when", .word(["success", "failure", "always"]), default: .string("success"),
        summary: "how the task that it continues must have ended")
    ],
    differsFrom: "promise, where each step continues the one before it, after its success only",
    seeAlso: ["promise", "graph"],
    examples: [
      "task { fetch: sleep 20ms; parse: work 5ms; store: sleep 10ms }",
      """
      task(executor: main) { fetch: sleep 20ms; parse: work 5ms after fetch; log: sleep 1ms after fetch }
      expect order fetch, log, parse
      """,
      """
      task { fetch: fail "no such page"; parse: work 5ms; instead: value "404" with when: failure }
      expect outcome == success
      expect count parse == 0
      """,
    ])

  private enum Condition: String {
    case success, failure, always
  }

  private let executor: Bolts.Executor

  init(_ arguments: Arguments) throws {
    executor =
      switch try arguments.string("executor") {
      case "main": .mainThread
      case "pool": .pool
      default: .immediate
      }
  }

  func validate(_ steps: [Step]) throws {
    try Self.manual.validate(steps)
    var earlier: Set<String> = []
    for step in steps {
      if let later = step.predecessors.first(where: { !earlier.contains($0) }) {
        throw CompositionError(
          "“\(step.label)” cannot come after “\(later)”, which is not an earlier step: a task can only "
            + "continue an existing one; name an earlier step", step: step.label)
      }
      earlier.insert(step.label)
    }
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard !steps.isEmpty else { return completion(.success(input)) }
    var tasks: [Bolts.Task<Value>] = []
    var positions: [String: Int] = [:]
    // For each task, whether it has no continuation yet.
    var isLast: [Bool] = []
    var previous = scope.untraced { Bolts.Task(input, runtime: scope.runtime) }
    for (position, step) in steps.enumerated() {
      let named = step.predecessors.compactMap { positions[$0] }
      for continued in named { isLast[continued] = false }
      switch named.count {
      case 0: if position > 0 { isLast[position - 1] = false }
      case 1: previous = tasks[named[0]]
      default:
        previous = Bolts.Task.whenAllResult(named.map { tasks[$0] })
          .continueOnSuccessWith { .list($0) }
      }
      previous = continuing(previous, with: step, input: input, in: scope)
      tasks.append(previous)
      positions[step.label] = position
      isLast.append(true)
    }
    let ends = zip(tasks, isLast).filter { $0.1 }.map { $0.0.promise }
    let last = Promise.settled(ends).tryMap(on: .inline) { results in
      try results.map { try $0.get() }.last ?? input
    }
    scope.complete(completion, with: last)
  }

  private func continuing(
    _ task: Bolts.Task<Value>, with step: Step, input: Value, in scope: Scope
  ) -> Bolts.Task<Value> {
    switch Condition(rawValue: (try? step.options.string("when")) ?? "") {
    case .always:
      task.continueWithTask(executor) { task in
        let error = task.error.map { Value.string("\($0)") }
        return scope.task(of: step, input: task.result ?? error ?? input)
      }
    case .failure:
      task.continueOnErrorWithTask(executor) { scope.task(of: step, input: .string("\($0)")) }
    case .success, nil:
      task.continueOnSuccessWithTask(executor) { scope.task(of: step, input: $0) }
    }
  }
}

extension Scope {
  /// A task for the result of `step`, which starts now unless the scope is cancelled.
  fileprivate func task(of step: Step, input: Value) -> Bolts.Task<Value> {
    guard !isCancelled else { return untraced { .cancelledTask(runtime: runtime) } }
    let source = untraced { Bolts.TaskCompletionSource<Value>(runtime: runtime) }
    start(step, input: input) { result in
      switch result {
      case .success(let value): source.set(result: value)
      case .failure(let error): source.set(error: error)
      }
    }
    return source.task
  }
}
