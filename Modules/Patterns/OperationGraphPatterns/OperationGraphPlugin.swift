public import AsyncPatterns
import OperationGraph

/// Patterns that run operations in parallel, built on this library's graph, operation queue and group.
public struct OperationGraphPlugin: Plugin {
  public static let name = "OperationGraph"
  public static let summary = "Steps in parallel: in a graph, all together, or a few at a time."
  public static let patterns: [any AsyncPattern.Type] = [
    GraphPattern.self, GroupPattern.self, NaiveGroupPattern.self, BoundedPattern.self,
    BlockingBoundedPattern.self, OperationsPattern.self, BarrierPattern.self,
  ]
}

@_cdecl("async_pattern_plugin_OperationGraph")
public func operationGraphPlugin() -> UnsafePointer<async_pattern_plugin> {
  async_pattern_handshake { OperationGraphPlugin.describe(to: $0) }
}

/// `graph`: steps as operations with dependencies.
struct GraphPattern: AsyncPattern {
  static let manual = Manual(
    name: "graph",
    summary: "Starts each step when the steps that its “after” names have finished.",
    discussion: """
      Each step is an operation of an OperationGraph. Steps without “after” start immediately; the \
      others start when the last of their predecessors finishes. With a width, at most that many \
      run at the same time; other ready steps are queued, in the order in which they became ready. \
      Each step gets the graph's input, and the result is the list of their values in the order \
      written.

      With on-failure: stop, no step starts after a failure; running steps may finish, and then the \
      first failure is the result. With cancel-all, the running steps are cancelled as well. With \
      finish-independent, steps that do not depend on the failure still run, and with “continue” \
      all failures are reported together. After a cancellation, no more steps start. Steps that \
      become ready together start together, even if one of them fails immediately.

      A step's trigger says when it starts: after the success of all its predecessors; when all \
      are done; when none failed; or as soon as any succeeded or any failed. A step whose trigger \
      can no longer hold is left out and has no value. A step takes its limits and its exclusive \
      resources together when it starts, and holds none before. So steps cannot wait for each \
      other in a cycle. A step cannot overtake a waiting step that needs some of the same \
      resources. A step is at least as urgent as every step that comes after it. A step with retry \
      starts again after a failure; a step that times out is cancelled, counts as failed, and is \
      not awaited.

      The traps: Foundation's OperationQueue waits forever, in silence, if operations form a \
      cycle of dependencies; asynchronous work in a block operation counts as done when the block \
      returns, so its dependents start too early; and cancelling an operation lets its dependents \
      run. Here a cycle is rejected before any step runs, with its path; a step is done when it \
      reports that; and by default a step does not run unless its predecessors have succeeded.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...Int.max),
        summary: "how many steps run at the same time; no limit unless given"),
      Parameter(
        "on-failure", .word(OperationGraph.FailurePolicy.allCases.map(\.rawValue)),
        default: .string(OperationGraph.FailurePolicy.stop.rawValue),
        summary: "what a failure does to the other steps"),
    ],
    flow: .sideBySide, failure: .stops, ordering: .byDependency,
    stepOptions: StepOptions.parameters,
    differsFrom: "operations, where steps that do not come after a failed one still start",
    seeAlso: ["operations", "group", "bounded", "barrier", "task"],
    examples: [
      "graph { a: sleep 10ms; b: sleep 20ms; c: sleep 5ms after a, b }",
      "graph(width: 2) { page: 4 * sleep 10ms; index: work 5ms after page }",
      """
      graph { a: sleep 10ms; b: fail "no such page"; c: value 1 after a, b }
      expect outcome == failure
      """,
      """
      graph(on-failure: finish-independent) {
        fetch: fail "no such page"
        mend: value 1 after fetch with trigger: any-failed
        tidy: value 2 after fetch, mend with trigger: all-done
      }
      expect outcome == failure
      expect order fetch, mend, tidy
      """,
      """
      graph {
        query: 3 * sleep 10ms with limit: "db 2"
        write: sleep 5ms with exclusive: db, priority: high
      }
      expect makespan == 25ms
      """,
      "graph(width: 1) { a: sleep 5ms with priority: low; b: sleep 5ms with retry: 3, timeout: 20ms }",
    ])

  private let width: Int
  private let policy: OperationGraph.FailurePolicy
  private let graphs: StepGraphs

  init(_ arguments: Arguments) throws {
    width = arguments["width"] == nil ? .max : try arguments.integer("width")
    let word = arguments["on-failure"] == nil ? "stop" : try arguments.string("on-failure")
    policy = OperationGraph.FailurePolicy(rawValue: word) ?? .stop
    graphs = StepGraphs(under: policy)
  }

  func validate(_ steps: [Step]) throws {
    try Self.manual.validate(steps)
    _ = try StepGraph(steps, under: policy)
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    graphs.start(steps, width: width, input: input, in: scope, completion: completion)
  }
}

/// `group`: steps as a graph without dependencies.
struct GroupPattern: AsyncPattern {
  static let manual = Manual(
    name: "group",
    summary: "Starts all its steps together and completes when all have.",
    discussion: """
      This is an OperationGraph without dependencies. Each step gets the group's input, and the \
      result is the list of their values in the order written. If steps fail, the first failure is \
      the result once all have ended: no step keeps running after the result.

      The traps of a dispatch group: enter and leave are counted by hand. If one path forgets to \
      leave, the group never notifies; if one leaves twice, the program crashes; and if enter is \
      called inside the work instead of before it, the group notifies before the work has started. \
      Waiting for the group blocks a thread. Here the group counts by itself: a step counts from \
      its start, once, and the report names a step that never completes.

      Starting every step at the same time is a trap, too: a thousand downloads need a thousand \
      sockets, and work beyond the number of workers is only queued. The fix is bounded.
      """,
    flow: .sideBySide,
    differsFrom: "bounded, which has a width and starts no step after a failure",
    seeAlso: [
      "bounded", "graph", "operations", "swift.taskgroup", "all", "gcd.group", "group.naive",
    ],
    examples: [
      "group { 4 * work 10ms }",
      """
      group { a: sleep 10ms; b: fail "no such page"; c: sleep 30ms }
      expect outcome == failure
      """,
    ])

  private let graphs = StepGraphs()

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    graphs.start(steps, width: .max, input: input, in: scope, completion: completion)
  }
}

/// `bounded`: steps as a graph without dependencies, a limited number of them at a time.
struct BoundedPattern: AsyncPattern {
  static let manual = Manual(
    name: "bounded",
    summary: "Runs its steps in parallel, a limited number of them at the same time.",
    discussion: """
      This is an OperationGraph without dependencies and with a width. Steps start in the order \
      written: the first ones immediately, each later one when an earlier one has finished. Each \
      gets the pattern's input, and the result is the list of their values in the order written. \
      After a failure no more steps start, and the first failure is the result when the running \
      steps have ended. After a cancellation, no more steps start.

      The traps of a semaphore: if all work is started, and each piece waits for a permit, only the \
      running work is limited. Each piece that waits blocks a thread. A permit that is not \
      released on some path is lost for good, and work that takes a second permit while it holds \
      one can deadlock. Here a step waits in a list, and its place is released when it has ended, \
      whether it succeeded or failed.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...Int.max), isRequired: true,
        summary: "how many steps run at the same time")
    ],
    flow: .sideBySide, failure: .stops,
    differsFrom: "group, which starts all its steps together, whatever fails",
    seeAlso: [
      "group", "graph", "operations", "swift.taskgroup", "bounded.semaphore", "gcd.semaphore",
    ],
    examples: [
      "bounded(2) { 4 * sleep 10ms }",
      """
      bounded(width: 1) { a: value 1; b: fail "no such page"; c: value 3 }
      expect outcome == failure
      """,
    ])

  private let width: Int
  private let graphs = StepGraphs()

  init(_ arguments: Arguments) throws { width = try arguments.integer("width") }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    graphs.start(steps, width: width, input: input, in: scope, completion: completion)
  }
}

extension StepGraphs {
  fileprivate func start(
    _ steps: [Step], width: Int, input: Value, in scope: Scope,
    completion: @escaping Completion
  ) {
    if scope.runtime.trace != nil {
      for step in steps {
        guard case .string(let word)? = step.options["priority"] else { continue }
        let roles: [String: TraceEvent.Role] = [
          "low": .lowPriority, "normal": .normalPriority, "high": .highPriority,
        ]
        scope.mark("priority", step.label, role: roles[word] ?? .normalPriority)
      }
    }
    do throws(CompositionError) {
      try graph(of: steps).start(width: width, input: input, in: scope, completion: completion)
    } catch {
      completion(.failure(error))
    }
  }
}
