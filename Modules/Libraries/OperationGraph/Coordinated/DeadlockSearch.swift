/// Runs whose operations wait for each other, so that none of them can go on.
///
/// A run that is at rest and waits for an operation of another one asks whether that one can go on; and so
/// on through all runs that are waited for. If none of them can, by itself or because somebody may yet add
/// or resume something, all of them end.
enum DeadlockSearch {
  /// One run's part in it, at one moment.
  private struct Rest: Sendable {
    let version: Int
    let waits: [GraphDeadlock.Wait]
    let remotes: [RemoteLink]
  }

  static func end(runsThatWaitWith run: CoordinatedRun) {
    guard let runs = standstill(from: run) else { return }
    let error = GraphDeadlock(waits: runs.flatMap(\.rest.waits))
    // Decide in all of them first: the end of one must not let another continue.
    let decisions = runs.map { run, _ in
      run.decide { state, _ in ((), state.counts.isAtRest ? state.cancelAll(error) : []) }.1
    }
    for ((run, _), decision) in zip(runs, decisions) { run.perform(decision) }
  }

  /// The runs that are at rest together; nil if one of them can go on.
  private static func standstill(
    from first: CoordinatedRun
  ) -> [(run: CoordinatedRun, rest: Rest)]? {
    while true {
      var found: [(run: CoordinatedRun, rest: Rest)] = []
      var pending = [first]
      while let run = pending.popLast() {
        if found.contains(where: { $0.run === run }) { continue }
        guard let rest = rest(of: run) else { return nil }
        found.append((run, rest))
        for link in rest.remotes {
          guard let source = link.source as? CoordinatedRun else { return nil }
          // It has ended, and whoever waits for it is about to be told.
          if source.read({ $0.nodes[Int(link.operation)].hasEnded }) { return nil }
          pending.append(source)
        }
      }
      // If nothing has happened since, there was a moment at which all of this was so.
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
  /// Those of other runs that operations here stand for and that have not ended.
  fileprivate var remotes: [RemoteLink] {
    zip(graph.table.options.indices, graph.table.options.elements).compactMap {
      operation, options in
      if case .waiting = nodes[Int(operation)].phase { options.remote } else { nil }
    }
  }

  /// Who waits for whom.
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
        names.append("\(link.name) of another run")
      }
      return GraphDeadlock.Wait(operation: name(of: Int32(operation)), others: names)
    }
  }
}

/// Operations wait, and nothing is left that could make them go on.
public struct GraphDeadlock: Error, Hashable, CustomStringConvertible {
  /// One operation, and what it waits for.
  public struct Wait: Hashable, Sendable {
    public let operation: String
    public let others: [String]
  }

  /// In all runs that wait for each other.
  public let waits: [Wait]

  public var description: String {
    let told = waits.map { wait in
      "“\(wait.operation)” waits for \(wait.others.quoted.told(separator: ", "))"
    }
    return "nothing can go on: \(told.told(separator: "; ")); take one of these dependencies out"
  }
}
