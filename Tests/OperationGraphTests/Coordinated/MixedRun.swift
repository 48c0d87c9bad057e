import OperationGraph
import Simulation
import Testing

/// One run of a `MixedGraph`, which notes whatever should not have happened.
final class MixedRun: Sendable {
  private enum Handle: Sendable {
    case number(OperationGraph.Operation<Int>)
    case gate(OperationGraph.Operation<Void>)
  }

  private struct Ledger: Sendable {
    var faults: [String] = []
    var inFlight: Set<Int> = []
    var starts: [Int]
    var ends: [Int: Int] = [:]
    var completions = 0
    var run: GraphRun?
  }

  let mixed: MixedGraph
  private let runtime: any Runtime
  private let ledger: Locked<Ledger>
  private let handles = Locked<[Handle]>([])
  /// Whether somebody calls something off, so that more than one end is right.
  private let isDisturbed: Bool

  init(_ mixed: MixedGraph, on runtime: any Runtime, isDisturbed: Bool) {
    self.mixed = mixed
    self.runtime = runtime
    self.isDisturbed = isDisturbed
    ledger = Locked(Ledger(starts: Array(repeating: 0, count: mixed.nodes.count)))
  }

  var run: GraphRun? { ledger.withLock { $0.run } }

  // MARK: Building

  /// Begins to run.
  func launch(resources: ResourcePool, isOpen: Bool = false) {
    var graph = OperationGraph()
    var handles: [Handle] = []
    for index in mixed.nodes.indices { handles.append(add(index, to: &graph, handles)) }
    if mixed.isEmbedded {
      var outer = OperationGraph()
      let part = outer.embed("part", graph)
      handles = handles.map { handle in
        switch handle {
        case .number(let operation): .number(part[operation])
        case .gate(let operation): .gate(part[operation])
        }
      }
      graph = outer
    }
    self.handles.withLock { [handles] in $0 = handles }
    do {
      // Suspended, so that the first operations find the run in the ledger.
      let run = try graph.launch(
        width: mixed.width, policy: mixed.policy, resources: resources, observers: [Ends(of: self)],
        isOpen: isOpen, isSuspended: true, on: mixed.placement, runtime: runtime
      ) { _ in
        self.ledger.withLock { ledger in
          ledger.completions += 1
          if !ledger.inFlight.isEmpty { ledger.faults.append("over while something runs") }
        }
      }
      ledger.withLock { $0.run = run }
      run.resume()
    } catch {
      note("refused: \(error)")
    }
  }

  private func add(
    _ index: Int, to graph: inout OperationGraph, _ handles: [Handle]
  ) -> Handle {
    let node = mixed.nodes[index]
    if node.isBarrier { return .gate(graph.barrier("\(index)", trigger: node.trigger)) }
    var options: [OperationGraph.Option] = [
      .trigger(node.trigger), .priority(.init(rawValue: node.priority)),
    ]
    options += node.needs.map { .needs($0.0, $0.1) }
    if node.attempts.count > 1 {
      options.append(.retry(node.attempts.count, after: .milliseconds(node.delay)))
    }
    if let timeout = node.timeout { options.append(.timeout(.milliseconds(timeout))) }
    let (all, name) = (OperationGraph.Option.all(options), "\(index)")
    var operation: OperationGraph.Operation<Int>?
    if let first = node.before.first, case .number(let input) = handles[first] {
      switch node.firstEdge {
      case .value: operation = add(index, input, to: &graph, all)
      case .outcome: operation = add(index, input.outcome, to: &graph, all)
      case .after: break
      }
    }
    let added = operation ?? add(index, to: &graph, all, name)
    for before in node.before {
      switch handles[before] {
      case .number(let predecessor): graph.addDependency(of: added, on: predecessor)
      case .gate(let predecessor): graph.addDependency(of: added, on: predecessor)
      }
    }
    return .number(added)
  }

  private func add(
    _ index: Int, to graph: inout OperationGraph, _ options: OperationGraph.Option, _ name: String
  ) -> OperationGraph.Operation<Int> {
    switch mixed.nodes[index].kind {
    case .function: graph.add(name, with: options) { () throws -> Int in try self.function(index) }
    case .callback:
      graph.add(name, with: options) { (done: OperationGraph.Done<Int>) in
        self.begin(index, done)
      }
    case .task:
      graph.add(name, with: options) { () async throws -> Int in try await self.task(index) }
    }
  }

  private func add<Input: Sendable>(
    _ index: Int, _ input: OperationGraph.Operation<Input>, to graph: inout OperationGraph,
    _ options: OperationGraph.Option
  ) -> OperationGraph.Operation<Int> {
    let (name, node) = ("\(index)", mixed.nodes[index])
    let condition = node.condition.map { holds in { @Sendable (_: Input) in holds } }
    switch node.kind {
    case .function:
      return graph.add(name, input, when: condition, with: options) { (value: Input) -> Int in
        self.check(value, before: index)
        return try self.function(index)
      }
    case .callback:
      return graph.add(name, input, when: condition, with: options) {
        (value: Input, done: OperationGraph.Done<Int>) in
        self.check(value, before: index)
        self.begin(index, done)
      }
    case .task:
      return graph.add(name, input, when: condition, with: options) {
        (value: Input) async throws -> Int in
        self.check(value, before: index)
        return try await self.task(index)
      }
    }
  }

  // MARK: What operations do

  private func function(_ index: Int) throws -> Int {
    let attempt = started(index)
    defer { stopped(index) }
    switch attempt {
    case .succeeds: return index
    case .fails, .hangs: throw StepFailure("\(index)")
    case .cancelsItself: throw CancellationError()
    }
  }

  private func task(_ index: Int) async throws -> Int {
    let attempt = started(index)
    do {
      if attempt == .hangs {
        try await runtime.clock.sleep(for: .seconds(1_000))
      } else if runtime.clockKind == .virtual {
        try await runtime.clock.sleep(for: .milliseconds(mixed.nodes[index].duration))
      } else {
        await Task.yield()
      }
    } catch {
      stopped(index)
      throw error
    }
    stopped(index)
    switch attempt {
    case .succeeds: return index
    case .fails, .hangs: throw StepFailure("\(index)")
    case .cancelsItself: throw CancellationError()
    }
  }

  private func begin(_ index: Int, _ done: OperationGraph.Done<Int>) {
    let attempt = started(index)
    let isOver = Locked(false)
    let end: @Sendable (Result<Int, any Error>) -> Void = { result in
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      guard isFirst else { return }
      self.stopped(index)
      done(result)
    }
    let timer = Locked<(any Cancellable)?>(nil)
    done.onCancel {
      timer.withLock { $0 }?.cancel()
      end(.failure(CancellationError()))
    }
    let result: Result<Int, any Error> =
      switch attempt {
      case .succeeds: .success(index)
      case .fails, .hangs: .failure(StepFailure("\(index)"))
      case .cancelsItself: .failure(CancellationError())
      }
    if attempt == .hangs { return keep(done) }
    guard runtime.clockKind == .virtual else { return runtime.pool.schedule { end(result) } }
    let duration = Duration.milliseconds(mixed.nodes[index].duration)
    let scheduled = runtime.pool.schedule(after: duration) { end(result) }
    timer.withLock { $0 = scheduled }
    if isOver.withLock({ $0 }) { scheduled.cancel() }
  }

  /// What hangs holds its `done`, as a forgotten handler would.
  private let kept = Locked<[OperationGraph.Done<Int>]>([])
  private func keep(_ done: OperationGraph.Done<Int>) { kept.withLock { $0.append(done) } }

  // MARK: Watching

  private func note(_ fault: String) { ledger.withLock { $0.faults.append(fault) } }

  private func check(_ value: some Sendable, before index: Int) {
    guard let number = value as? Int, number != mixed.nodes[index].before.first else { return }
    note("\(index) got \(number)")
  }

  private func started(_ index: Int) -> MixedGraph.Attempt {
    let node = mixed.nodes[index]
    let before = node.before.map { end(of: $0) }
    return ledger.withLock { ledger in
      let attempt = ledger.starts[index]
      ledger.starts[index] += 1
      if !ledger.inFlight.insert(index).inserted { ledger.faults.append("\(index) runs twice") }
      if ledger.ends[index] != nil { ledger.faults.append("\(index) starts after its end") }
      if attempt >= node.attempts.count { ledger.faults.append("\(index) starts too often") }
      if ledger.inFlight.count > mixed.width { ledger.faults.append("more than the width run") }
      for (name, limit) in MixedGraph.limits {
        let used = ledger.inFlight.flatMap { mixed.nodes[$0].needs }.filter { $0.0 == name }
        if used.reduce(0, { $0 + $1.1 }) > limit { ledger.faults.append("too much of \(name)") }
      }
      if !Self.mayStart(node, before) { ledger.faults.append("\(index) starts after \(before)") }
      return node.attempts[min(attempt, node.attempts.count - 1)]
    }
  }

  private func stopped(_ index: Int) { ledger.withLock { _ = $0.inFlight.remove(index) } }

  /// Whether what it comes after, as far as that has ended, lets it start.
  private static func mayStart(_ node: MixedGraph.Node, _ before: [MixedGraph.End?]) -> Bool {
    switch node.trigger {
    case .anySucceeded: before.contains(.succeeded)
    case .anyFailed: before.contains(.failed)
    default: !before.contains(nil) && MixedGraph.holds(node, before.compactMap { $0 })
    }
  }

  private func state(of index: Int) -> OperationState? {
    guard let run else { return nil }
    switch handles.withLock({ $0[index] }) {
    case .number(let operation): return run.state(of: operation)
    case .gate(let operation): return run.state(of: operation)
    }
  }

  private func end(of index: Int) -> MixedGraph.End? {
    switch state(of: index) {
    case .succeeded?: .succeeded
    case .failed?: .failed
    case .cancelled?: .cancelled
    case .skipped?: .skipped
    case .waiting?, .ready?, .running?, nil: nil
    }
  }

  func cancel(_ index: Int) {
    guard let run else { return }
    switch handles.withLock({ $0[index] }) {
    case .number(let operation): run.cancel(operation)
    case .gate(let operation): run.cancel(operation)
    }
  }

  // MARK: The end

  /// What should not have happened, now that nothing is left to do; nil if all is well.
  var fault: String? {
    let (faults, completions, ends) = ledger.withLock {
      ($0.faults, $0.completions, $0.ends)
    }
    defer { ledger.withLock { $0.run = nil } }
    if let fault = faults.first { return fault }
    guard completions == 1, let run else { return "completed \(completions) times" }
    if let number = ends.first(where: { $0.value != 1 }) { return "\(number.key) ended twice" }
    if ends.count != run.progress.total { return "\(ends.count) of \(run.progress.total) ended" }
    let found = mixed.nodes.indices.map { end(of: $0) }
    guard !found.contains(nil) else { return "not all have ended: \(found)" }
    return isDisturbed ? wrongEnd(found.compactMap { $0 }) : wrongEndUndisturbed(found)
  }

  /// Something was called off: each operation ended as it may after those before it, or was cancelled.
  private func wrongEnd(_ found: [MixedGraph.End]) -> String? {
    for (index, node) in mixed.nodes.enumerated() where found[index] != .cancelled {
      let right = mixed.end(of: node, after: node.before.map { found[$0] })
      guard found[index] != right else { continue }
      // Called off after an attempt that failed, it is not tried again.
      let isGivenUp =
        found[index] == .failed && node.attempts.count > 1
        && [.succeeded, .cancelled].contains(right)
      if !isGivenUp { return "\(index) \(found[index]), and not \(right), in \(found)" }
    }
    return nil
  }

  private func wrongEndUndisturbed(_ found: [MixedGraph.End?]) -> String? {
    let right = mixed.ends
    let isStopped =
      mixed.policy == .stop
      && mixed.nodes.indices.contains { found[$0] == .failed || endsItself($0, found) }
    for index in mixed.nodes.indices where found[index] != right[index] {
      if isStopped, found[index] == .cancelled || found[index] == .failed { continue }
      return "\(index) \(String(describing: found[index])), and not \(right[index]), in \(found)"
    }
    return nil
  }

  /// Whether an operation was cancelled by its own work.
  private func endsItself(_ index: Int, _ found: [MixedGraph.End?]) -> Bool {
    found[index] == .cancelled && mixed.nodes[index].attempts.contains { $0 == .cancelsItself }
  }

  private struct Ends: GraphObserver {
    // The run's end lets go of the observer.
    let watched: MixedRun

    init(of watched: MixedRun) { self.watched = watched }

    func operationFinished(_ operation: GraphOperation, _ state: OperationState) {
      let number = operation.name.split(separator: "/").last.flatMap { Int($0) }
      watched.ledger.withLock { $0.ends[number ?? -1 - operation.index, default: 0] += 1 }
    }
  }
}
