import AsyncPatterns
import Foundation

/// Foundation's operation queue, for comparison.
public struct FoundationOperations: Plugin {
  public static let name = "Foundation"
  public static let summary = "An operation queue with asynchronous operations and dependencies."
  public static let patterns: [any AsyncPattern.Type] = [Operations.self]
}

/// `foundation.operations`: a graph of operations.
struct Operations: AsyncPattern {
  static let manual = Manual(
    name: "foundation.operations",
    summary: "Runs its steps as operations; “after” makes one depend on others.",
    discussion: """
      Each step is an asynchronous operation of one OperationQueue, which starts it when its \
      dependencies have finished and fewer than “width” operations are executing. Each gets the \
      pattern's input. A step whose predecessor has failed does not start; the first failure is \
      the result once all have ended.

      The traps: a block operation finishes when its block returns, so operations that depend on \
      it start too early; an asynchronous operation must itself report when it is executing and \
      finished, and notify the queue of each change; otherwise it is never released, and its \
      dependents never start; a cycle of dependencies waits forever in silence. Here a cycle is rejected \
      before anything runs.

      The widespread BFBlockOperation is a block operation made asynchronous in this way, with \
      three more traps. Its “completed” is set after the block has run, so work that ends \
      immediately calls a block that is not set yet, and crashes. When an operation finishes, \
      BFBlockOperation starts every ready operation itself, and ignores the queue and its width. \
      And “completed(NO)” counts as success. Here the work gets its completion as an argument, \
      only the queue starts operations, and a failure keeps later steps from running. The pattern \
      operations of OperationGraph does the same without Foundation.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...1_000_000),
        summary: "how many execute at the same time; the queue decides unless given")
    ],
    flow: .sideBySide, ordering: .byDependency, clocks: [.live],
    seeAlso: ["operations", "graph"],
    examples: ["foundation.operations { a: sleep 10ms; b: sleep 20ms; c: work 5ms after a, b }"])

  private let width: Int?

  init(_ arguments: Arguments) throws {
    width = arguments["width"] == nil ? nil : try arguments.integer("width")
  }

  func validate(_ steps: [Step]) throws {
    try Self.manual.validate(steps)
    let known = Dictionary(steps.map { ($0.label, $0) }, uniquingKeysWith: { first, _ in first })
    for step in steps {
      if let unknown = step.predecessors.first(where: { known[$0] == nil }) {
        throw CompositionError(
          "“\(step.label)” comes after “\(unknown)”, but there is no step “\(unknown)” here",
          step: step.label)
      }
    }
    if let cycle = cycle(among: steps, known) {
      throw CompositionError(
        "these steps wait for each other: \(cycle.joined(separator: " after ")); "
          + "leave out one “after”", step: cycle.first)
    }
  }

  /// The labels along a cycle, the first one again at its end.
  private func cycle(among steps: [Step], _ known: [String: Step]) -> [String]? {
    var finished: Set<String> = []
    for step in steps where !finished.contains(step.label) {
      // Depth first, with an explicit stack: `path` leads to the current step, `left` holds the unvisited predecessors.
      var path = [step.label]
      var left = [step.predecessors[...]]
      while let label = path.last {
        guard let next = left[left.count - 1].popFirst() else {
          finished.insert(label)
          path.removeLast()
          left.removeLast()
          continue
        }
        if let start = path.firstIndex(of: next) { return path[start...] + [next] }
        guard !finished.contains(next), let step = known[next] else { continue }
        path.append(next)
        left.append(step.predecessors[...])
      }
    }
    return nil
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard !steps.isEmpty else { return completion(.success(.list([]))) }
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width ?? OperationQueue.defaultMaxConcurrentOperationCount
    let registration = scope.onCancel { queue.cancelAllOperations() }
    let results = Results(steps.count) { result in
      registration.dispose()
      completion(result)
    }
    let places = Dictionary(
      steps.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { first, _ in first })
    let operations = steps.map { _ in StepOperation() }
    var successors = [[StepOperation]](repeating: [], count: steps.count)
    for (step, operation) in zip(steps, operations) {
      for place in step.predecessors.compactMap({ places[$0] }) {
        operation.addDependency(operations[place])
        successors[place].append(operation)
      }
    }
    for (index, step) in steps.enumerated() {
      let predecessors = step.predecessors.compactMap { places[$0] }
      let successors = successors[index]
      operations[index].prepare { finish in
        guard !results.hasFailure(among: predecessors) else {
          return results.set(.failure(CancellationError()), at: index, before: finish)
        }
        scope.start(step, input: input) { result in
          for successor in successors { successor.follow() }
          results.set(result, at: index, before: finish)
        }
      }
    }
    queue.addOperations(operations, waitUntilFinished: false)
  }
}

/// An operation that is finished when its work calls `finish`.
private final class StepOperation: Operation, @unchecked Sendable {
  // Safe to share: all mutable state is locked.
  typealias Work = @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void

  private enum State { case ready, executing, finished }

  private let state = Locked(State.ready)
  private let work = Locked<Work?>(nil)
  /// The job that starts the operation. The predecessor that ended last created it, so the trace records that
  /// predecessor as the cause.
  private let beginning = Locked<Job?>(nil)

  func prepare(_ work: @escaping Work) { self.work.withLock { $0 = work } }

  /// Called when a predecessor ends, on its thread.
  func follow() {
    let job = Job { [weak self] in self?.begin() }
    beginning.withLock { $0 = job }
  }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { state.withLock { $0 == .executing } }
  override var isFinished: Bool { state.withLock { $0 == .finished } }

  override func start() {
    willChangeValue(for: \.isExecuting)
    state.withLock { $0 = .executing }
    didChangeValue(for: \.isExecuting)
    // A cancelled operation starts, too: its step then ends immediately, so every step has an end.
    let job = beginning.withLock { beginning in
      defer { beginning = nil }
      return beginning
    }
    if let job { job.run() } else { begin() }
  }

  private func begin() {
    let work = work.withLock { work in
      defer { work = nil }
      return work
    }
    work? { self.finish() }
  }

  private func finish() {
    willChangeValue(for: \.isExecuting)
    willChangeValue(for: \.isFinished)
    state.withLock { $0 = .finished }
    didChangeValue(for: \.isFinished)
    didChangeValue(for: \.isExecuting)
  }
}

/// The results of the steps, each at its own position.
private final class Results: Sendable {
  private struct State {
    var results: [Result<Value, any Error>?]
    var missing: Int
    var failure: (any Error)?
  }

  private let state: Locked<State>
  private let onAll: Completion

  init(_ count: Int, onAll: @escaping Completion) {
    state = Locked(State(results: Array(repeating: nil, count: count), missing: count))
    self.onAll = onAll
  }

  func hasFailure(among indices: [Int]) -> Bool {
    state.withLock { state in
      indices.contains { if case .failure? = state.results[$0] { true } else { false } }
    }
  }

  /// - Parameter next: called when the result is stored, before the completion is called.
  func set(
    _ result: Result<Value, any Error>, at index: Int, before next: () -> Void = {}
  ) {
    let all = state.withLock { state -> Result<Value, any Error>? in
      state.results[index] = result
      state.missing -= 1
      if case .failure(let error) = result, state.failure == nil { state.failure = error }
      guard state.missing == 0 else { return nil }
      if let failure = state.failure { return .failure(failure) }
      return .success(.list(state.results.compactMap { try? $0?.get() }))
    }
    next()
    if let all { onAll(all) }
  }
}
