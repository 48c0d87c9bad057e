import AsyncSimulation
import OperationGraph
import Testing

/// One run of a `MixedGraph`, which records every fault.
final class MixedRun: Sendable {
  enum Handle: Sendable {
    case number(OperationGraph.Operation<Int>)
    case gate(OperationGraph.Operation<Void>)
  }

  struct Ledger: Sendable {
    var faults: [String] = []
    var inFlight: Set<Int> = []
    var starts: [Int]
    var ends: [Int: Int] = [:]
    var completions = 0
    /// Why the run failed; nil if it succeeded.
    var error: (any Error)?
    /// The number of known operations. Operations that are added during the run may have come too late.
    var known: Int
    /// The `done` of each hanging operation, which is kept as a forgotten handler would be.
    var kept: [OperationGraph.Done<Int>] = []
    var run: GraphRun?
  }

  let mixed: MixedGraph
  let runtime: any Runtime
  let ledger: Locked<Ledger>
  let handles = Locked<[Handle]>([])
  /// Whether something is cancelled, so that more than one end is correct.
  let isDisturbed: Bool

  init(_ mixed: MixedGraph, on runtime: any Runtime, isDisturbed: Bool) {
    self.mixed = mixed
    self.runtime = runtime
    self.isDisturbed = isDisturbed
    let count = mixed.nodes.count
    ledger = Locked(
      Ledger(starts: Array(repeating: 0, count: count), known: mixed.added?.from ?? count))
  }

  var run: GraphRun? { ledger.withLock { $0.run } }

  // MARK: Building

  /// Starts the run.
  func launch(resources: ResourcePool) {
    do {
      let remotes = try launchRemotes()
      var graph = OperationGraph()
      var handles: [Handle] = []
      for index in 0..<(mixed.added?.from ?? mixed.nodes.count) {
        handles.append(add(index, to: &graph, handles, remotes))
      }
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
      // The run is suspended at first, so that the first operations find it in the ledger.
      let run = try graph.launch(
        width: mixed.width, onFailure: mixed.policy, resources: resources,
        observers: [Ends(of: self)], isOpen: mixed.added != nil, isSuspended: true,
        on: mixed.placement, runtime: runtime
      ) { result in
        self.ledger.withLock { ledger in
          ledger.completions += 1
          if case .failure(let error) = result { ledger.error = error }
          if !ledger.inFlight.isEmpty { ledger.faults.append("finished while something runs") }
        }
      }
      ledger.withLock { $0.run = run }
      run.resume()
      if let added = mixed.added {
        runtime.pool.schedule(after: .milliseconds(added.time)) { self.addRest(to: run, remotes) }
      }
    } catch {
      note("refused: \(error)")
    }
  }

  /// Adds the operations that come during the run, and closes the run.
  private func addRest(to run: GraphRun, _ remotes: [Int: RemoteOperation<Int>]) {
    defer { run.close() }
    do {
      let first = handles.withLock { $0 }
      try run.add { graph in
        var all = first
        for index in first.count..<mixed.nodes.count {
          all.append(add(index, to: &graph, all, remotes))
        }
        // This must happen before the first added operation starts, because it reads the handles.
        handles.withLock { [all] in $0 = all }
      }
      ledger.withLock { $0.known = mixed.nodes.count }
    } catch is GraphIsClosed where isDisturbed || !mixed.policy.startsAfterFailure {
      // The run was cancelled or has stopped.
    } catch {
      note("not added: \(error)")
    }
  }

  /// Runs the remote operations in a run of their own.
  private func launchRemotes() throws -> [Int: RemoteOperation<Int>] {
    let indices = mixed.nodes.indices.filter { mixed.nodes[$0].isRemote }
    guard !indices.isEmpty else { return [:] }
    var graph = OperationGraph()
    let operations = indices.map { index in
      graph.addWithCompletion("remote \(index)", of: Int.self) { done in
        self.beginRemote(index, done)
      }
    }
    let run = try graph.launch(onFailure: .continue, runtime: runtime)
    return Dictionary(uniqueKeysWithValues: zip(indices, operations.map { run.operation($0) }))
  }

  private func add(
    _ index: Int, to graph: inout OperationGraph, _ handles: [Handle],
    _ remotes: [Int: RemoteOperation<Int>]
  ) -> Handle {
    let node = mixed.nodes[index]
    if let remote = remotes[index] { return .number(graph.wait(for: remote, named: "\(index)")) }
    if node.isBarrier { return .gate(graph.barrier("\(index)", trigger: node.trigger)) }
    var options: [OperationGraph.Option] = [
      .trigger(node.trigger), .priority(Priority(node.priority)),
    ]
    options += node.needs.map { .needs($0.0, $0.1) }
    if node.attempts.count > 1 {
      options.append(.retry(node.attempts.count, backoff: .constant(.milliseconds(node.delay))))
    }
    if let timeout = node.timeout { options.append(.timeout(.milliseconds(timeout))) }
    let (all, name) = (OperationGraph.Option.all(options), "\(index)")
    var operation: OperationGraph.Operation<Int>?
    if let first = node.before.first, case .number(let input) = handles[first] {
      switch node.firstEdge {
      case .value:
        operation =
          node.rounds > 0 ? loop(index, input, to: &graph, all) : add(index, input, to: &graph, all)
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
      graph.addWithCompletion(name, of: Int.self, with: options) { done in
        self.begin(index, done)
      }
    case .task:
      graph.add(name, with: options) { () async throws -> Int in try await self.task(index) }
    }
  }

  /// Counts rounds with numbers that no operation produces, and then does the work of an operation.
  private func loop(
    _ index: Int, _ first: OperationGraph.Operation<Int>, to graph: inout OperationGraph,
    _ options: OperationGraph.Option
  ) -> OperationGraph.Operation<Int> {
    let last = 100 * mixed.nodes[index].rounds
    var body = OperationGraph()
    let input = body.input(Int.self)
    let output = body.add("round", input) { (value: Int) throws -> Int in
      if value < 100 { self.check(value, before: index) }
      return value < last ? value % 100 + (value / 100 + 1) * 100 : try self.function(index)
    }
    return graph.loop(
      "\(index)", from: first, over: body, input: input, output: output, with: options
    ) { $0 >= 100 }
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
      return graph.addWithCompletion(name, input, of: Int.self, when: condition, with: options) {
        value, done in
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

  // MARK: Watching

  func note(_ fault: String) { ledger.withLock { $0.faults.append(fault) } }

  func check(_ value: some Sendable, before index: Int) {
    guard let number = value as? Int, number != mixed.nodes[index].before.first else { return }
    note("\(index) got \(number)")
  }

  func started(_ index: Int) -> MixedGraph.Attempt {
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

  func stopped(_ index: Int) { ledger.withLock { _ = $0.inFlight.remove(index) } }

  /// Whether the predecessors that have ended so far allow the node to start.
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

  func end(of index: Int) -> MixedGraph.End? {
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
    // An operation that has not been added yet is not part of the run.
    guard index < ledger.withLock({ $0.known }) else { return }
    switch handles.withLock({ $0[index] }) {
    case .number(let operation): run.cancel(operation)
    case .gate(let operation): run.cancel(operation)
    }
  }

  private struct Ends: GraphObserver {
    // The run releases the observer at its end.
    let watched: MixedRun

    init(of watched: MixedRun) { self.watched = watched }

    func operationFinished(_ operation: GraphOperation, _ state: OperationState) {
      let number = operation.name.split(separator: "/").last.flatMap { Int($0) }
      watched.ledger.withLock { $0.ends[number ?? -1 - operation.index, default: 0] += 1 }
    }
  }
}
