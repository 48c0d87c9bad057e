/// A definite or probable fault of a Swift task.
struct TaskFault {
  enum Kind {
    /// The task ran this long without being suspended, while another task waited for its thread.
    case heldThread(Int64, other: Int, wait: Int64)
    /// The task held the main actor this long.
    case heldMainActor(Int64)
    /// Tasks waited for the actor: the number that waited at the same time, the longest wait, and the task that held
    /// the actor during it.
    case contention(tasks: Int, longest: Int64, holder: Int)
    /// The task waited for a task of lower priority, which held its thread or its actor.
    case inversion(holder: Int, wait: Int64)
    /// No code refers to it, and it kept running this long after the task that created it had ended.
    case outlivesCreator(Int, Int64)
    /// It failed, and no code refers to it, so its error is lost.
    case lostError(String)
    /// This many unstructured tasks were ready at the same time.
    case flood(Int)
    /// The task filled the buffer of a stream up to this number of values. The named counter counts them.
    case growingBuffer(Int, counter: String)
  }

  let node: Int
  let kind: Kind
}

extension SpanTable {
  /// The time for which a screen shows one frame.
  private static let frame: Int64 = 16_000_000
  /// Shorter waits are not noticeable.
  private static let noticeable: Int64 = 1_000_000
  /// Contention is a fault if tasks wait for the actor during this part of the run: one tenth.
  private static let contendedShare: Int64 = 10
  /// No ordinary machine runs more tasks at the same time.
  private static let manyTasks = 256

  /// A buffer with fewer values may only be waiting for its consumer to run.
  private static let manyValues = 256.0

  /// The faults of tasks, grouped by kind.
  ///
  /// - Complexity: O(n log n) in the number of events.
  var taskFaults: [TaskFault] {
    guard !tasks.nodes.isEmpty else { return [] }
    return heldThreads + contendedActors + taskInversions + outlivingTasks + lostErrors
      + taskFlood + growingBuffers
  }

  // MARK: Held threads

  /// For each task, its longest run that held up another task, or the main actor.
  private var heldThreads: [TaskFault] {
    var faults: [Int: (length: Int64, kind: TaskFault.Kind)] = [:]
    func note(_ run: TaskRuns.Run, _ kind: (Int64) -> TaskFault.Kind) {
      let length = run.to.subtractingClamped(run.from)
      guard length >= Self.frame, length > faults[run.node]?.length ?? 0 else { return }
      faults[run.node] = (length, kind(length))
    }
    let runs = Dictionary(grouping: tasks.runs.filter { nodes[$0.node].isTask }, by: \.node)
    for run in runs.values.joined() {
      if let executor = run.executor, isMainActor(executor) {
        note(run) { .heldMainActor($0) }
      }
    }
    for wait in tasks.waits where wait.executor == nil && wait.length > Self.noticeable {
      // The runs of one task are ordered by their ends.
      let ofHolder = runs[wait.holder, default: []]
      let next = ofHolder.firstIndexBeyond { $0.to > wait.to }
      guard let run = ofHolder[..<next].last, run.executor == nil, run.to > wait.from else {
        continue
      }
      note(run) { .heldThread($0, other: wait.node, wait: wait.length) }
    }
    return faults.sorted { $0.key < $1.key }.map { TaskFault(node: $0.key, kind: $0.value.kind) }
  }

  // MARK: Actors

  /// The actors for which tasks waited during a large part of the run while other tasks ran on them, with those waits.
  /// The busiest actor comes first.
  var waitsForContendedActors: [(actor: Int, waits: [TaskRuns.Wait])] {
    let limit = lastEvent.subtractingClamped(firstEvent) / Self.contendedShare
    let waits = Dictionary(grouping: tasks.waits.filter { $0.executor != nil }) { $0.executor! }
    let runs = Dictionary(grouping: tasks.runs.filter { $0.executor != nil }) { $0.executor! }
    let contended = waits.compactMap { actor, waits -> (Int, [TaskRuns.Wait], Int64)? in
      let held = TimeSpans(runs[actor, default: []].lazy.map { $0.from..<$0.to })
      let covered = TimeSpans(waits.lazy.filter { $0.from < $0.to }.map { $0.from..<$0.to })
        .intersection(held).total
      guard covered >= limit, waits.contains(where: { $0.length >= Self.noticeable }) else {
        return nil
      }
      return (actor, waits, covered)
    }
    return contended.sorted { ($1.2, $0.0) < ($0.2, $1.0) }.map { ($0.0, $0.1) }
  }

  private var contendedActors: [TaskFault] {
    waitsForContendedActors.compactMap { actor, waits in
      guard let longest = waits.max(by: { $0.length < $1.length }) else { return nil }
      return TaskFault(
        node: actor,
        kind: .contention(
          tasks: Self.mostAtOnce(waits.map { (from: $0.from, to: $0.to) }), longest: longest.length,
          holder: longest.holder))
    }
  }

  private static func mostAtOnce(_ stretches: [(from: Int64, to: Int64)]) -> Int {
    var changes = stretches.flatMap { [($0.from, 1), ($0.to, -1)] }
    // Ends come first at the same instant, so that they do not overlap with starts.
    changes.sort { $0 < $1 }
    var (count, most) = (0, 0)
    for change in changes {
      count += change.1
      most = max(most, count)
    }
    return most
  }

  // MARK: Priorities

  private var taskInversions: [TaskFault] {
    guard !priorities.given.isEmpty else { return [] }
    var found: Set<Int> = []
    return tasks.waits.compactMap { wait in
      guard wait.length >= Self.noticeable, priority(of: wait.holder) < priority(of: wait.node),
        found.insert(wait.node).inserted
      else { return nil }
      return TaskFault(node: wait.node, kind: .inversion(holder: wait.holder, wait: wait.length))
    }
  }

  private func priority(of task: Int) -> Priorities.Priority {
    nodes[task].parent.flatMap { priorities.given[$0]?[label(of: task)] } ?? .normal
  }

  // MARK: Unstructured tasks

  /// Whether a task is not a child of another one.
  func isUnstructured(_ task: Int) -> Bool {
    nodes[task].isTask && (nodes[task].parent.map { $0 == root } ?? true)
  }

  private var outlivingTasks: [TaskFault] {
    askers.compactMap { creator, task in
      guard isUnstructured(task), nodes[task].isUnreferenced, nodes[creator].isTask,
        let end = finishTime(of: creator), hasStarted(task)
      else { return nil }
      let excess = (finishTime(of: task) ?? lastEvent).subtractingClamped(end)
      guard excess >= Self.noticeable else { return nil }
      return TaskFault(node: task, kind: .outlivesCreator(creator, excess))
    }
  }

  /// A task that was cancelled before it failed is no fault: its result is not needed any more.
  private var lostErrors: [TaskFault] {
    nodes.indices.compactMap { task in
      guard isUnstructured(task), nodes[task].isUnreferenced, nodes[task].outcome == .failure,
        timeOfCancellation(task) == nil
      else { return nil }
      return TaskFault(node: task, kind: .lostError(nodes[task].details?.reason ?? ""))
    }
  }

  private var taskFlood: [TaskFault] {
    let tasks = nodes.indices.filter { isUnstructured($0) && hasStarted($0) }
    guard tasks.count > Self.manyTasks else { return [] }
    let ready = tasks.map { (submitTime(of: $0), startTime(of: $0) ?? lastEvent) }
    let most = Self.mostAtOnce(ready)
    guard most > Self.manyTasks else { return [] }
    let families = Dictionary(grouping: tasks) { Folding.stem(of: label(of: $0)) }
    let largest = families.values.max { ($0.count, $1[0]) < ($1.count, $0[0]) }
    return largest.map { [TaskFault(node: $0[0], kind: .flood(most))] } ?? []
  }

  // MARK: Streams

  private var growingBuffers: [TaskFault] {
    counters.compactMap { counter in
      guard counter.isOfBuffer, let node = counter.node,
        let most = counter.points.map(\.value).max(), most >= Self.manyValues,
        let first = counter.points.first, let last = counter.points.last,
        // A buffer that is filled in a moment, or that was emptied again, held only a burst.
        last.time.subtractingClamped(first.time) >= Self.frame, last.value >= most / 2
      else { return nil }
      return TaskFault(node: node, kind: .growingBuffer(Int(most), counter: counter.name))
    }
  }
}

extension SpanTable {
  /// How long tasks ran on the main actor, or on the main lane without an actor.
  ///
  /// - Complexity: O(n log n) in the number of runs of tasks.
  var timeOfTasksOnMain: Int64 {
    let runs = tasks.runs.lazy.filter { run in
      guard nodes[run.node].isTask, run.from < run.to else { return false }
      return run.executor.map { isMainActor($0) } ?? (run.lane == .main)
    }
    return TimeSpans(runs.map { $0.from..<$0.to }).total
  }

  /// Whether the node is the place that represents the main actor.
  private func isMainActor(_ node: Int) -> Bool {
    nodes[node].isPlace && label(of: node) == "main actor"
  }
}
