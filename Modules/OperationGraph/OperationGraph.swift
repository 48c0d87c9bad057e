@_exported public import AsyncPatterns

/// Operations with dependencies: each starts when those it comes after have ended.
///
/// ```swift
/// var build = OperationGraph<Project, Artifact>()
/// let code = build.add("code") { try await compile($0.sources) }
/// let pictures = build.add("pictures") { project, done in render(project.pictures) { done($0) } }
/// build.add("bundle", after: [code, pictures]) { try bundle($0) }
/// let artifacts = try await build.run(project, width: 4)
/// ```
///
/// A graph is a value and says only what comes after what. It can be run again and again, also several
/// times at once; each run has an input of its own, which all its operations get. Without dependencies
/// it is a group, and with a width a group of bounded concurrency.
///
/// - Each operation starts once at most, and ends once: a second call of a `done` is reported and ignored.
/// - What is ready starts in the order in which it became ready, of several that did at once in the order
///   in which they were added. No more than `width` are in flight at any time.
/// - At the first failure nothing more starts; the run ends with that failure once all those in flight have
///   ended. Cancelling does the same, with a `CancellationError`.
/// - No thread waits, and no closure runs under a lock. A chain of a million operations that end at once
///   needs no stack.
/// - A cycle is refused before anything starts.
///
/// Values do not flow from one operation to the next: what is to be handed on goes through a place that
/// both know, which the one before has written when the one after starts.
public struct OperationGraph<Input: Sendable, Output: Sendable>: Sendable {
  private var operations: [Operation] = []
  private var dependencies: [GraphPlan.Dependency] = []
  /// Shared by copies until one of them changes.
  private var cache = PlanCache()

  public init() {}

  /// How many operations there are.
  public var count: Int { operations.count }

  /// An operation of a graph, and of the copies that were made of it since.
  public struct Node: Hashable, Sendable {
    /// Its place in the order of adding, which is that of the values a run yields.
    public let index: Int
  }

  /// Adds a function that returns when it has done its work; it starts in place, without a task.
  ///
  /// - Parameters:
  ///   - label: what reports call it.
  ///   - predecessors: what it comes after.
  ///   - work: gets the input of the run.
  /// - Complexity: amortised O(1) and O(predecessors)
  @discardableResult
  public mutating func add(
    _ label: String = "", after predecessors: [Node] = [],
    perform work: @escaping @Sendable (Input) throws -> Output
  ) -> Node {
    add(
      label, predecessors,
      .function { input, place in
        let value = try work(input.assumingMemoryBound(to: Input.self).pointee)
        place.assumingMemoryBound(to: Output.self).initialize(to: value)
      })
  }

  /// Adds an asynchronous function. Cancelling the run cancels its task.
  ///
  /// - Parameters:
  ///   - label: what reports call it.
  ///   - predecessors: what it comes after.
  ///   - work: gets the input of the run.
  /// - Complexity: amortised O(1) and O(predecessors)
  @discardableResult
  public mutating func add(
    _ label: String = "", after predecessors: [Node] = [],
    perform work: @escaping @Sendable (Input) async throws -> Output
  ) -> Node {
    add(
      label, predecessors,
      .starting { token in
        let input = token.run.input.assumingMemoryBound(to: Input.self).pointee
        token.startTask { try await work(input) }
      })
  }

  /// Adds completion-handler work; it ends when it calls the `done` it gets, not when it returns.
  ///
  /// - Parameters:
  ///   - label: what reports call it.
  ///   - predecessors: what it comes after.
  ///   - work: gets the input of the run.
  /// - Complexity: amortised O(1) and O(predecessors)
  @discardableResult
  public mutating func add(
    _ label: String = "", after predecessors: [Node] = [],
    perform work: @escaping @Sendable (Input, _ done: Done) -> Void
  ) -> Node {
    add(
      label, predecessors,
      .starting { token in
        work(token.run.input.assumingMemoryBound(to: Input.self).pointee, Done(token))
      })
  }

  private mutating func add(
    _ label: String, _ predecessors: [Node], _ work: Operation.Work
  ) -> Node {
    detachCache()
    let node = Node(index: operations.count)
    operations.append(Operation(label: label, work: work))
    for predecessor in predecessors { addDependency(of: node, on: predecessor) }
    return node
  }

  /// Makes one operation come after another. It may close a cycle, which `validate()` and every run then
  /// refuse.
  ///
  /// - Precondition: both are operations of this graph.
  public mutating func addDependency(of successor: Node, on predecessor: Node) {
    precondition(
      operations.indices.contains(successor.index)
        && operations.indices.contains(predecessor.index), "a node of another graph")
    detachCache()
    dependencies.append(
      GraphPlan.Dependency(
        predecessor: Int32(predecessor.index), successor: Int32(successor.index)))
  }

  /// Refuses a cycle. What `add` alone makes cannot have one.
  ///
  /// - Complexity: O(operations + dependencies) once after a change.
  public func validate() throws(OperationCycle) { _ = try plan() }

  /// Runs the graph.
  ///
  /// - Parameters:
  ///   - input: what every operation gets.
  ///   - width: how many operations may be in flight at once; below one counts as one.
  ///   - placement: where operations start; asynchronous functions run on the pool if it is `.inline`.
  ///   - runtime: where time and threads come from.
  ///   - cancellation: stops the run: nothing more starts, and what runs is told.
  ///   - completion: called once, when nothing is in flight any more: with the values in the order in
  ///     which the operations were added, the first failure, or an `OperationCycle`. It runs on the thread
  ///     on which the last operation ended, or before this returns if there is nothing to run.
  /// - Complexity: O(operations) to start, and altogether O(operations + dependencies).
  public func start(
    _ input: Input, width: Int = .max, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared, cancellation: Cancellation = Cancellation(),
    completion: @escaping @Sendable (Result<[Output], any Error>) -> Void
  ) {
    do throws(OperationCycle) {
      OperationRun(
        operations, try plan(), input: input, width: width, on: placement, runtime: runtime,
        cancellation: cancellation, completion: completion
      ).start()
    } catch {
      completion(.failure(error))
    }
  }

  /// Runs the graph and returns when nothing is in flight any more. Cancelling the calling task cancels
  /// the run.
  ///
  /// - Parameters: see `start`.
  /// - Returns: the values in the order in which the operations were added.
  /// - Throws: the first failure; a `CancellationError` if it was cancelled before all had started; an
  ///   `OperationCycle`, and then nothing has started.
  public func run(
    _ input: Input, width: Int = .max, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared
  ) async throws -> [Output] {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        start(
          input, width: width, on: placement, runtime: runtime, cancellation: cancellation
        ) { continuation.resume(with: $0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  // MARK: The plan

  private func plan() throws(OperationCycle) -> GraphPlan {
    do throws(GraphPlan.Cycle) {
      return try cache.plan(count: operations.count, dependencies)
    } catch {
      throw OperationCycle(error.operations.map { operations.name(of: $0) })
    }
  }

  private mutating func detachCache() {
    if !isKnownUniquelyReferenced(&cache) { cache = PlanCache() }
  }
}

extension OperationGraph where Input == Void {
  /// Runs the graph: see ``start(_:width:on:runtime:cancellation:completion:)``.
  public func start(
    width: Int = .max, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared, cancellation: Cancellation = Cancellation(),
    completion: @escaping @Sendable (Result<[Output], any Error>) -> Void
  ) {
    start(
      (), width: width, on: placement, runtime: runtime, cancellation: cancellation,
      completion: completion)
  }

  /// Runs the graph: see ``run(_:width:on:runtime:)``.
  public func run(
    width: Int = .max, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared
  ) async throws -> [Output] {
    try await run((), width: width, on: placement, runtime: runtime)
  }
}
