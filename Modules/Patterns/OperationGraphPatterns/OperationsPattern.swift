import AsyncPatterns
import OperationGraph

/// `operations`: steps as asynchronous operations on a queue, with dependencies among them.
struct OperationsPattern: AsyncPattern {
  static let manual = Manual(
    name: "operations",
    summary: "Runs its steps as operations of a queue; “after” makes one depend on others.",
    discussion: """
      This works like asynchronous NSOperations that have dependencies and a queue of limited \
      width. Its classes are modelled on Foundation's. Each step is an AsyncOperation of one \
      AsyncOperationQueue, which starts it when its dependencies have ended and fewer than “width” \
      operations are executing. It holds its place until it has completed. Each gets the pattern's \
      input, and the result is the list of their values in the order written. A step whose \
      predecessor has failed does not run, the others do; the first failure is the result once all \
      have ended.

      The traps of Foundation's operations: asynchronous work in a block operation counts as done \
      when the block returns; a subclass must override isExecuting and isFinished, and notify the \
      queue of every change. If one notification is missing, the queue waits forever, in silence. \
      It also waits forever after a cycle of dependencies, and after the removal of a dependency \
      that has not finished. The same happens if an operation holds the only place of a queue, and \
      waits for another operation of that queue. Cancelling a waiting operation lets its \
      successors run while its predecessors still run.

      Here a step ends when it reports that it is done; a cycle is rejected before any step runs; \
      a cancelled step ends when its predecessors have; and no thread is blocked. \
      foundation.operations, in the plugin Foundation, has the original. graph does the same at a \
      fraction of the cost, and more.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...Int.max),
        summary: "how many steps are executing at the same time; no limit unless given")
    ],
    flow: .sideBySide, ordering: .byDependency,
    differsFrom: "graph, where no step starts after a failure unless “on-failure” says so",
    seeAlso: ["graph", "group", "bounded", "foundation.operations"],
    examples: [
      """
      operations(width: 5) { w0: sleep 15ms; w3: sleep 10ms; w1: sleep 15ms after w0, w3; w2: sleep 10ms }
      expect count w1 == 1
      expect makespan >= 30ms
      expect blocked == 0ms
      """,
      """
      operations { a: fail "no such page"; b: sleep 5ms after a; c: sleep 10ms }
      expect outcome == failure
      expect count b == 0
      expect count c == 1
      """,
    ])

  private let width: Int

  init(_ arguments: Arguments) throws {
    width = arguments["width"] == nil ? .max : try arguments.integer("width")
  }

  func validate(_ steps: [Step]) throws {
    try Self.manual.validate(steps)
    _ = try dependencies(among: steps)
  }

  /// For each step, the positions of the steps it comes after.
  private func dependencies(among steps: [Step]) throws(CompositionError) -> [[Int]] {
    let places = Dictionary(
      steps.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { first, _ in first })
    var all: [[Int]] = []
    for step in steps {
      var own: [Int] = []
      for predecessor in step.predecessors {
        guard let place = places[predecessor] else {
          throw CompositionError(of: step, after: predecessor)
        }
        own.append(place)
      }
      all.append(own)
    }
    var graph = OperationGraph()
    let operations = steps.map { graph.add($0.label) {} }
    for (operation, own) in zip(operations, all) {
      graph.addDependencies(of: operation, on: own.map { operations[$0] })
    }
    do throws(OperationCycle) {
      try graph.validate()
    } catch {
      throw CompositionError(of: error)
    }
    return all
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let work = StepOperations(
      steps, width: width, input: input, in: scope, stopsAtFailure: false, called: "operations")
    work.run(completion: completion) {
      for (operation, own) in zip(work.operations, try dependencies(among: steps)) {
        for place in own { try operation.addDependency(work.operations[place]) }
      }
      try work.queue.addOperations(work.operations)
    }
  }
}
