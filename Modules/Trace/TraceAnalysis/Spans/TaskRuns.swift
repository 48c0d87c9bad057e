/// When tasks ran, and when they were suspended. A suspended task holds no lane.
package struct TaskRuns {
  /// A time in which a task ran.
  package struct Run {
    package let node: Int
    package let lane: Lane
    /// The actor or the queue that it ran on. Nil if it ran on a lane only.
    package let executor: Int?
    package let from: Int64
    package var to: Int64
  }

  /// A time in which a task was ready and waited for a thread, an actor or a queue.
  struct Wait {
    let node: Int
    /// The span that held the thread, actor or queue until the task got it.
    let holder: Int
    /// The actor or the queue; nil for a thread.
    let executor: Int?
    let from: Int64
    let to: Int64
    var length: Int64 { to.subtractingClamped(from) }
  }

  /// The runs of tasks, ordered by their ends.
  package private(set) var runs: [Run] = []
  /// When tasks were suspended, each with the lane that it left.
  private(set) var suspensions: [LaneInterval] = []
  private var running: [Int: Run] = [:]
  /// The waits of tasks, ordered by their ends.
  private(set) var waits: [Wait] = []
  /// For each task that never resumed, what it waited for, and since when.
  private(set) var lost: [Int: (dependency: String, since: Int64)] = [:]
  private var suspended: [Int: (lane: Lane, since: Int64, dependency: String)] = [:]

  /// The tasks, and other spans that were suspended or ran on an executor.
  package private(set) var nodes: Set<Int> = []

  /// Records the start of a span. A span with an executor also counts as a task.
  mutating func start(
    _ node: Int, isTask: Bool, on lane: Lane, _ executor: Int?, at time: Int64
  ) {
    guard isTask || executor != nil else { return }
    nodes.insert(node)
    running[node] = Run(node: node, lane: lane, executor: executor, from: time, to: time)
  }

  /// Records a suspension.
  ///
  /// - Parameters:
  ///   - dependency: what it waits for, in words.
  ///   - start: when and where the span started.
  mutating func suspend(
    _ node: Int, for dependency: String, on lane: Lane,
    startedAt start: (lane: Lane, time: Int64), at time: Int64
  ) {
    nodes.insert(node)
    if suspended[node] != nil { return }
    let run =
      running[node]
      ?? Run(node: node, lane: start.lane, executor: nil, from: start.time, to: start.time)
    running[node] = run
    end(node, at: time)
    suspended[node] = (lane, time, dependency)
  }

  /// - Returns: since when it was suspended, if it was.
  mutating func resume(_ node: Int, on lane: Lane, _ executor: Int?, at time: Int64) -> Int64? {
    guard nodes.contains(node) || executor != nil else { return nil }
    let suspension = suspended.removeValue(forKey: node)
    if let (lane, since, _) = suspension {
      suspensions.append(LaneInterval(node: node, lane: lane, from: since, to: time))
    }
    // A task that changes its executor continues without having been suspended.
    end(node, at: time)
    nodes.insert(node)
    running[node] = Run(node: node, lane: lane, executor: executor, from: time, to: time)
    return suspension?.since
  }

  /// Records that a span waited until `holder` released a thread, an actor or a queue.
  mutating func wait(_ wait: Wait) { waits.append(wait) }

  /// Records the end of a run of the span, because the span or the whole run ended.
  mutating func end(_ node: Int, at time: Int64) {
    guard !running.isEmpty, var run = running.removeValue(forKey: node) else { return }
    run.to = max(time, run.from)
    runs.append(run)
  }

  /// Ends everything that has not ended.
  mutating func close(at end: Int64) {
    for node in running.keys.sorted() { self.end(node, at: end) }
    for (node, (lane, since, dependency)) in suspended.sorted(by: { $0.key < $1.key }) {
      lost[node] = (dependency, since)
      suspensions.append(LaneInterval(node: node, lane: lane, from: since, to: max(end, since)))
    }
    suspended = [:]
    suspensions.sort { ($0.from, $0.node ?? 0) < ($1.from, $1.node ?? 0) }
  }
}
