/// What is wrong, or probably wrong, with a task of Swift.
struct TaskFault {
  enum Kind {
    /// It ran so long without being suspended, while another task waited for its thread.
    case heldThread(Int64, other: Int, wait: Int64)
    /// It held the main actor so long.
    case heldMainActor(Int64)
    /// Tasks waited for the actor: how many at once, the longest, and behind whom.
    case contention(tasks: Int, longest: Int64, holder: Int)
    /// It waited for one that matters less, which held its thread or its actor.
    case inversion(holder: Int, wait: Int64)
    /// No task awaited it, and it ran that much longer than the task that had made it.
    case outlivesCreator(Int, Int64)
    /// So many tasks that belong to no other one were ready at once.
    case flood(Int)
    /// It filled the buffer of a stream, which the counter counts, and which held so many values.
    case growingBuffer(Int, counter: String)
  }

  let node: Int
  let kind: Kind
}

extension SpanTable {
  /// As long as a picture is shown on a screen.
  private static let frame: Int64 = 16_000_000
  /// Shorter waits are not noticed.
  private static let noticeable: Int64 = 1_000_000
  /// Tasks wait for an actor that much of the time before it is a fault: one part in so many.
  private static let contendedShare: Int64 = 10
  /// More tasks cannot run at once on any usual machine.
  private static let manyTasks = 256

  /// A buffer that holds fewer values may only wait for its consumer's turn.
  private static let manyValues = 256.0

  /// The faults of tasks, by kind.
  ///
  /// - Complexity: O(n log n) in the number of events.
  var taskFaults: [TaskFault] {
    guard !tasks.nodes.isEmpty else { return [] }
    return heldThreads + contendedActors + taskInversions + outlivingTasks + taskFlood
      + growingBuffers
  }

  // MARK: Held threads

  private var heldThreads: [TaskFault] {
    var longest: [Int: TaskRuns.Wait] = [:]
    for wait in tasks.waits where wait.executor == nil {
      if wait.length > longest[wait.holder]?.length ?? Self.noticeable {
        longest[wait.holder] = wait
      }
    }
    var faults: [Int: TaskFault] = [:]
    for run in tasks.runs where nodes[run.node].isTask {
      let length = run.to.subtractingClamped(run.from)
      guard length >= Self.frame, faults[run.node] == nil else { continue }
      if let executor = run.executor {
        guard nodes[executor].isMainActor else { continue }
        faults[run.node] = TaskFault(node: run.node, kind: .heldMainActor(length))
      } else if let wait = longest[run.node] {
        let kind = TaskFault.Kind.heldThread(length, other: wait.node, wait: wait.length)
        faults[run.node] = TaskFault(node: run.node, kind: kind)
      }
    }
    return faults.sorted { $0.key < $1.key }.map(\.value)
  }

  // MARK: Actors

  /// The actors for which tasks waited for a good part of the run, and those waits; the busiest actor comes first.
  var waitsForContendedActors: [(actor: Int, waits: [TaskRuns.Wait])] {
    let limit = lastEvent.subtractingClamped(firstEvent) / Self.contendedShare
    let waits = Dictionary(grouping: tasks.waits.filter { $0.executor != nil }) { $0.executor! }
    let contended = waits.compactMap { actor, waits -> (Int, [TaskRuns.Wait], Int64)? in
      let covered = Self.covered(waits)
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
          tasks: Self.mostAtOnce(waits.map { ($0.from, $0.to) }), longest: longest.length,
          holder: longest.holder))
    }
  }

  /// How long at least one of them lasted.
  private static func covered(_ waits: [TaskRuns.Wait]) -> Int64 {
    var (total, end) = (Int64(0), Int64.min)
    for wait in waits.sorted(by: { $0.from < $1.from }) where wait.to > end {
      total = total.addingClamped(wait.to.subtractingClamped(max(wait.from, end)))
      end = wait.to
    }
    return total
  }

  private static func mostAtOnce(_ stretches: [(from: Int64, to: Int64)]) -> Int {
    var changes = stretches.flatMap { [($0.from, 1), ($0.to, -1)] }
    // What ends at an instant makes room for what begins at it.
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
    nodes[task].parent.flatMap { priorities.given[$0]?[nodes[task].label] } ?? .normal
  }

  // MARK: Tasks that belong to no other one

  /// Whether a task is no child of another.
  private func isUnstructured(_ task: Int) -> Bool {
    nodes[task].isTask && (nodes[task].parent.map { $0 == root } ?? true)
  }

  private var outlivingTasks: [TaskFault] {
    askers.compactMap { creator, task in
      guard isUnstructured(task), !nodes[task].isAwaited, nodes[creator].isTask,
        let end = nodes[creator].finished, nodes[task].started != nil
      else { return nil }
      let excess = (nodes[task].finished ?? lastEvent).subtractingClamped(end)
      guard excess >= Self.noticeable else { return nil }
      return TaskFault(node: task, kind: .outlivesCreator(creator, excess))
    }
  }

  private var taskFlood: [TaskFault] {
    let tasks = nodes.indices.filter { isUnstructured($0) && nodes[$0].started != nil }
    guard tasks.count > Self.manyTasks else { return [] }
    let ready = tasks.map { (nodes[$0].submitted, nodes[$0].started ?? lastEvent) }
    let most = Self.mostAtOnce(ready)
    return most > Self.manyTasks ? [TaskFault(node: tasks[0], kind: .flood(most))] : []
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

extension SpanTable.Node {
  /// Whether it is the place that stands for the main actor.
  fileprivate var isMainActor: Bool { isPlace && label == "main actor" }
}
