/// When tasks ran, and when they were suspended: spans that hold no lane in between.
package struct TaskRuns {
  /// A stretch in which a task ran.
  package struct Run {
    package let node: Int
    package let lane: Lane
    /// The actor or the queue that it ran on, if that is no lane.
    package let executor: Int?
    package let from: Int64
    package var to: Int64
  }

  /// By when they end.
  package private(set) var runs: [Run] = []
  /// When tasks were suspended, each with the lane that it left.
  private(set) var suspensions: [LaneInterval] = []
  private var running: [Int: Run] = [:]
  private var suspended: [Int: (lane: Lane, since: Int64)] = [:]

  /// The tasks: spans that were suspended, or ran on an executor.
  package private(set) var nodes: Set<Int> = []

  /// A span starts. It is known to be a task if it has an executor.
  mutating func start(_ node: Int, on lane: Lane, _ executor: Int?, at time: Int64) {
    guard executor != nil else { return }
    nodes.insert(node)
    running[node] = Run(node: node, lane: lane, executor: executor, from: time, to: time)
  }

  /// - Parameter start: when and where the span started.
  mutating func suspend(
    _ node: Int, on lane: Lane, startedAt start: (lane: Lane, time: Int64), at time: Int64
  ) {
    nodes.insert(node)
    if suspended[node] != nil { return }
    let run =
      running[node]
      ?? Run(node: node, lane: start.lane, executor: nil, from: start.time, to: start.time)
    running[node] = run
    end(node, at: time)
    suspended[node] = (lane, time)
  }

  /// - Returns: since when it was suspended, if it was.
  mutating func resume(_ node: Int, on lane: Lane, _ executor: Int?, at time: Int64) -> Int64? {
    guard nodes.contains(node) || executor != nil else { return nil }
    let suspension = suspended.removeValue(forKey: node)
    if let (lane, since) = suspension {
      suspensions.append(LaneInterval(node: node, lane: lane, from: since, to: time))
    }
    // On another executor it runs on without having been suspended.
    end(node, at: time)
    nodes.insert(node)
    running[node] = Run(node: node, lane: lane, executor: executor, from: time, to: time)
    return suspension?.since
  }

  /// The span has ended, or the run has.
  mutating func end(_ node: Int, at time: Int64) {
    guard var run = running.removeValue(forKey: node) else { return }
    run.to = max(time, run.from)
    runs.append(run)
  }

  /// Ends all that has not ended.
  mutating func close(at end: Int64) {
    for node in running.keys.sorted() { self.end(node, at: end) }
    for (node, (lane, since)) in suspended.sorted(by: { $0.key < $1.key }) {
      suspensions.append(LaneInterval(node: node, lane: lane, from: since, to: max(end, since)))
    }
    suspended = [:]
    suspensions.sort { ($0.from, $0.node ?? 0) < ($1.from, $1.node ?? 0) }
  }
}
