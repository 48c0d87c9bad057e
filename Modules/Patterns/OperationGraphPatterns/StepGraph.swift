import AsyncPatterns
import OperationGraph

/// Steps as operations of a graph. Each step comes after the steps that are listed in its `after`. This type is a
/// class because each run retains it.
final class StepGraph: Sendable {
  /// The common data of the operations of one run. It is a class because each operation retains it.
  final class Start: Sendable {
    let input: Value
    let scope: Scope

    init(input: Value, scope: Scope) {
      self.input = input
      self.scope = scope
    }
  }

  /// A step as the work of an operation. It is a class: each start of the operation would retain every part of a
  /// structure separately.
  private final class Work: Sendable {
    let step: Step
    /// Whether the graph may cancel the step alone, because it times out or another one fails.
    let isCancellable: Bool

    init(_ step: Step, under policy: OperationGraph.FailurePolicy) {
      self.step = step
      isCancellable = policy == .cancelAll || step.options["timeout"] != nil
    }

    func begin(_ start: Start, _ done: OperationGraph.Done<Value>) {
      // The step is not even submitted to the scope: a rejected step would still appear in the trace.
      guard !start.scope.isCancelled else { return done(.failure(CancellationError())) }
      guard isCancellable else {
        return start.scope.start(step, input: start.input) { done($0) }
      }
      // Cancels only this start of the step.
      let own = start.scope.cancellable()
      let registration = done.onCancel { own.cancel() }
      own.start(step, input: start.input) { result in
        registration.dispose()
        done(result)
      }
    }
  }

  private let graph: OperationGraph
  private let start: OperationGraph.Operation<Start>
  private let nodes: [OperationGraph.Operation<Value>]
  private let policy: OperationGraph.FailurePolicy
  /// The capacities of the resources. Each run makes its own pool of them, because two runs of one pattern are
  /// independent.
  private let resources: [String: Int]

  /// - Throws: `CompositionError` for an `after` that names an unknown step, for a cycle, and for contradictory
  ///   options.
  /// - Complexity: O(steps + predecessors)
  init(
    _ steps: [Step], under policy: OperationGraph.FailurePolicy = .stop
  ) throws(CompositionError) {
    self.policy = policy
    var graph = OperationGraph()
    let start = graph.input(Start.self)
    let options = try StepOptions(steps, under: policy)
    resources = options.resources
    let nodes = zip(steps, options.options).map { step, options in
      let work = Work(step, under: policy)
      let node = graph.addWithToken(step.label, start, of: Value.self) { frame, token in
        work.begin(frame.value(of: start), OperationGraph.Done(token))
      }
      graph.setOptions(of: node, options)
      return node
    }
    if steps.contains(where: { !$0.predecessors.isEmpty }) {
      let known = Dictionary(
        zip(steps.lazy.map(\.label), nodes), uniquingKeysWith: { first, _ in first })
      for (step, node) in zip(steps, nodes) {
        for label in step.predecessors {
          guard let predecessor = known[label] else {
            throw CompositionError(of: step, after: label)
          }
          graph.addDependency(of: node, on: predecessor)
        }
      }
    }
    do throws(OperationCycle) {
      try graph.validate()
    } catch {
      throw CompositionError(of: error)
    }
    self.graph = graph
    self.start = start
    self.nodes = nodes
  }

  func start(
    width: Int, input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    // The graph itself is not traced, because the scope already records the steps.
    graph.start(
      given: [start.value(Start(input: input, scope: scope))], width: width, onFailure: policy,
      resources: resources.isEmpty ? nil : ResourcePool(resources), on: .inline,
      runtime: scope.runtime, cancellation: scope.cancellation, isTraced: false
    ) { [nodes] result in
      // A step that was left out because of its trigger has no value.
      completion(result.map { values in .list(nodes.map { (try? values[$0]) ?? .none }) })
    }
  }
}

/// Caches the graph of the steps that a pattern was last started with. A pattern is usually started with the same steps
/// again, and then nothing needs to be resolved.
final class StepGraphs: Sendable {
  private struct Entry: Sendable {
    let steps: [Step]
    let graph: StepGraph
  }

  private let policy: OperationGraph.FailurePolicy
  private let latest = Locked<Entry?>(nil)

  init(under policy: OperationGraph.FailurePolicy = .stop) { self.policy = policy }

  func graph(of steps: [Step]) throws(CompositionError) -> StepGraph {
    // The same memory means the same array: while the entry holds the array, that memory cannot be changed.
    let known = latest.withLock { $0 }
    if let known, known.steps.isSame(as: steps) { return known.graph }
    let entry = Entry(steps: steps, graph: try StepGraph(steps, under: policy))
    // The former entry is released after unlocking, because objects that its steps hold may run code in their `deinit`.
    let former = latest.withLock { latest in
      defer { latest = entry }
      return latest
    }
    return withExtendedLifetime(former) { entry.graph }
  }
}

extension [Step] {
  fileprivate func isSame(as other: [Step]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { mine in
        other.withUnsafeBufferPointer { $0.baseAddress == mine.baseAddress }
      }
  }
}

extension CompositionError {
  init(of step: Step, after unknown: String) {
    self.init(
      "“\(step.label)” comes after “\(unknown)”, but there is no step “\(unknown)” here",
      step: step.label)
  }

  init(of cycle: OperationCycle) {
    self.init(
      "these steps wait for each other: \(cycle.path); leave out one “after”",
      step: cycle.labels.first)
  }
}
