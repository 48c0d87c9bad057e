public import AsyncPatterns
import OperationGraph

/// Patterns that run operations in parallel, built on this library's graph, operation queue and group.
public struct OperationGraphPlugin: Plugin {
  public static let name = "OperationGraph"
  public static let summary = "Steps side by side: in a graph, all at once, or a few at a time."
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
    summary: "Starts each step when the steps it names after “after” have finished.",
    discussion: """
      Each step is an operation of an OperationGraph. Those without “after” start at once; whoever \
      finishes last of a step's predecessors starts it. With a width no more than that many run at once; \
      what is ready then waits its turn, first ready, first started. Each step gets the graph's \
      input, and the result is the list of their values in the order written.

      With the policy stop nothing starts after a failure that has not started; what runs may finish, \
      and then the first failure is the result. With finish-independent what does not come after the \
      failure goes on, and with keep-going all failures are told together. Cancelling starts nothing \
      more. Steps that become ready together start together, even if one of them fails at once.

      A step's trigger says when it starts: after the success of all it comes after; or when all are \
      done, none failed, or as soon as any succeeded or any failed. A step whose trigger cannot hold any \
      more is left out and has no value. Limits and what is exclusive are taken together when a step \
      starts, or it waits and holds nothing, so steps cannot wait for each other in a circle; and nobody \
      goes ahead of a step that waits who wants some of the same. A step is at least as urgent as every \
      step that comes after it. A step with retry starts again after a failure; one whose time is over \
      is called off, has failed, and is not waited for.

      The traps: Foundation's OperationQueue waits for ever, and in silence, where operations depend on \
      each other in a circle; asynchronous work in a block operation counts as done when the \
      block returns, so that what depends on it starts too early; cancelling an operation lets \
      its dependents run. Here a circle is refused before anything runs, and spelled out; a step \
      is done when it says so; and nothing runs whose predecessor has not succeeded.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...Int.max),
        summary: "how many steps run at once; as many as are ready unless given"),
      Parameter(
        "policy", .word(OperationGraph.FailurePolicy.allCases.map(\.rawValue)),
        default: .string(OperationGraph.FailurePolicy.stop.rawValue),
        summary: "what a failure does to the rest"),
    ],
    flow: .sideBySide, failure: .stops, ordering: .byDependency,
    stepOptions: StepOptions.parameters,
    examples: [
      "graph { a: sleep 10ms; b: sleep 20ms; c: sleep 5ms after a, b }",
      "graph(width: 2) { page: 4 * sleep 10ms; index: work 5ms after page }",
      """
      graph { a: sleep 10ms; b: fail "no such page"; c: value 1 after a, b }
      expect outcome == failure
      """,
      """
      graph(policy: finish-independent) {
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
    let word = arguments["policy"] == nil ? "stop" : try arguments.string("policy")
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
    summary: "Starts all its steps at once and completes when all have.",
    discussion: """
      An OperationGraph without dependencies. Each step gets the group's input, and the result is the list \
      of their values in the order written. If steps fail the first failure is the result, when \
      all have ended: no step is left running behind it.

      The traps of a dispatch group: enter and leave are counted by hand. A path on which leave is \
      forgotten, and the group never notifies; one leave too many, and the program crashes; an enter \
      inside the work instead of before it, and the group notifies before the work has begun. \
      Waiting for the group parks a thread. Here the count is the group's own business: a step \
      counts from the start, once, and one that forgets to complete fails with its name.

      Everything at once is a trap, too: a thousand downloads need a thousand sockets, and work \
      beyond the number of workers only queues up. bounded is the way out.
      """,
    flow: .sideBySide,
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
    summary: "Runs its steps side by side, no more than a number of them at once.",
    discussion: """
      An OperationGraph without dependencies and with a width. Steps start in the order written: the first \
      ones at once, each other one when one before it has finished. Each gets the pattern's input, \
      and the result is the list of their values in the order written. After a failure nothing \
      more starts, and the first failure is the result when what runs has ended. Cancelling \
      starts nothing more.

      The traps: to start everything and let each piece of work wait for a semaphore's permit bounds \
      what runs and not what waits, and every one that waits is a blocked thread; a permit that \
      is not given back on some path is lost for good; and work that takes a second permit while \
      it holds one can lock itself out. Here a step waits in a list, and its place is free when \
      it has ended, however it did.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...Int.max), isRequired: true, summary: "how many steps run at once")
    ],
    flow: .sideBySide, failure: .stops,
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
