/// Finds runs whose operations wait for each other, so that none of them can continue.
///
/// A run may be at rest while it waits for an operation of another run. It then checks whether that run can continue,
/// and does the same for every further run that is waited for. If none of these runs can continue by itself, and no
/// caller can still add or resume anything, the search ends them all.
enum DeadlockSearch {
  /// The state of one run in the search, at one moment.
  private struct Rest: Sendable {
    let version: Int
    let waits: [GraphDeadlock.Wait]
    let remotes: [RemoteLink]
  }

  static func end(runsThatWaitWith run: CoordinatedRun) {
    guard let runs = stalledRuns(from: run) else { return }
    let error = GraphDeadlock(waits: runs.flatMap(\.rest.waits))
    // Decide for all runs before performing any decision, because the end of one run must not let another one continue.
    let decisions = runs.map { run, _ in
      run.decide { state, _ in ((), state.counts.isAtRest ? state.cancelAll(error) : []) }.1
    }
    for ((run, _), decision) in zip(runs, decisions) { run.perform(decision) }
  }

  /// `first` and the runs that it waits for, directly or through other runs; nil if one of them can continue.
  private static func stalledRuns(
    from first: CoordinatedRun
  ) -> [(run: CoordinatedRun, rest: Rest)]? {
    while true {
      var found: [(run: CoordinatedRun, rest: Rest)] = []
      var known: Set<ObjectIdentifier> = []
      var pending = [first]
      while let run = pending.popLast() {
        guard known.insert(ObjectIdentifier(run)).inserted else { continue }
        guard let rest = rest(of: run) else { return nil }
        found.append((run, rest))
        for link in rest.remotes {
          // If the operation has ended, this run has been notified, or is about to be.
          guard let source = link.remote.source as? CoordinatedRun,
            !source.read({ $0.nodes[Int(link.remote.operation)].hasEnded })
          else { return nil }
          pending.append(source)
        }
      }
      // If nothing has happened in any run since its state was read, all these states existed at the same moment.
      if found.allSatisfy({ run, rest in run.read { $0.version } == rest.version }) {
        return found
      }
    }
  }

  private static func rest(of run: CoordinatedRun) -> Rest? {
    run.read { state in
      guard state.isAtRest else { return nil }
      return Rest(version: state.version, waits: state.waits, remotes: state.remotes)
    }
  }
}

extension CoordinatedState {
  /// The operations of other runs that are represented by waiting operations of this run.
  fileprivate var remotes: [RemoteLink] {
    zip(graph.table.options.indices, graph.table.options.elements).compactMap {
      operation, options in
      if case .waiting = nodes[Int(operation)].phase { options.remote } else { nil }
    }
  }

  /// The waiting operations, and the operations that each waits for.
  fileprivate var waits: [GraphDeadlock.Wait] {
    var others = [[String]](repeating: [], count: nodes.count)
    for dependency in graph.table.dependencies
    where !nodes[Int(dependency.predecessor)].hasEnded {
      others[Int(dependency.successor)].append(name(of: dependency.predecessor))
    }
    return nodes.indices.compactMap { operation in
      guard case .waiting = nodes[operation].phase else { return nil }
      var names = others[operation]
      if let link = graph.table.options[Int32(operation)]?.remote {
        names.append("\(link.remote.name) of another run")
      }
      return GraphDeadlock.Wait(operation: name(of: Int32(operation)), others: names)
    }
  }
}

/// Deadlock: operations wait, and nothing can make them continue.
public struct GraphDeadlock: Error, Hashable, CustomStringConvertible {
  /// An operation, and the operations that it waits for.
  public struct Wait: Hashable, Sendable {
    public let operation: String
    public let others: [String]
  }

  /// The waiting operations of all runs that wait for each other, and what each of them waits for.
  public let waits: [Wait]

  public var description: String {
    let texts = waits.map { wait in
      "“\(wait.operation)” waits for \(wait.others.quoted.listed(separator: ", "))"
    }
    return "deadlock: \(texts.listed(separator: "; ")); remove one of these dependencies"
  }
}
