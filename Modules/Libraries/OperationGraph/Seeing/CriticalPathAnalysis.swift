/// The times of a run, with the operations that each operation waited for. The analysis computes the critical path
/// backwards from the end of the run. It also computes the latest time at which each operation could have ended without
/// delaying that end.
///
/// The method follows J. E. Kelley and M. R. Walker (1959, doi:10.1145/1460299.1460318). The recorded times replace the
/// forward pass. An operation may start some time after the last operation that it waited for has ended, for example
/// because a thread had to wake. This delay is kept as it was. So the slack along the critical path is exactly zero,
/// even on the live clock.
///
/// Operations that did not run are included with no duration, because others may have waited for them.
struct CriticalPathAnalysis {
  /// When the run started or, if that is not given, when the first operation was ready.
  let begin: Int64
  /// When the last operation ended.
  let end: Int64
  /// When each operation started and, in `ends`, when it ended; meaningful only for operations that have ended.
  private(set) var starts: [Int64]
  private(set) var ends: [Int64]
  /// The latest time at which each operation could have ended without delaying the end of the run.
  private(set) var latestEnds: [Int64]
  /// The operations that determine the makespan and that ran, in order.
  private(set) var criticalPath: [Int32] = []

  /// - Parameter begin: when the run started; if nil, the time when the first operation was ready is used.
  init(
    _ table: OperationTable, _ plan: GraphPlan, _ records: [OperationRecord], from begin: Instant?
  ) {
    let order = plan.topologicalOrder()
    let times = Times(table, plan, records, order)
    starts = times.starts
    ends = times.ends
    self.begin =
      begin?.nanoseconds
      ?? records.lazy.compactMap { ($0.ready ?? $0.started ?? $0.finished)?.nanoseconds }.min() ?? 0
    let timed = order.filter { records[Int($0)].finished != nil }
    end = max(timed.lazy.map { times.ends[Int($0)] }.max() ?? self.begin, self.begin)
    latestEnds = Array(repeating: end, count: records.count)

    // Sorted by start. So if an operation ends before another one starts, or at that instant, it comes before the other
    // one. Among operations without duration at the same instant, only a dependency makes one wait for another, and
    // `order` respects dependencies.
    var positions = [Int32](repeating: 0, count: records.count)
    for (position, operation) in order.enumerated() { positions[Int(operation)] = Int32(position) }
    let sequence = timed.sorted {
      let (one, other) = (starts[Int($0)], starts[Int($1)])
      return one != other ? one < other : positions[Int($0)] < positions[Int($1)]
    }
    let causes = times.causes(in: sequence, records)
    for operation in sequence.reversed() {
      let own = causes[Int(operation)]
      guard let ready = own.lazy.map({ times.ends[Int($0)] }).max() else { continue }
      let latest = latestEnds[Int(operation)] - (ends[Int(operation)] - ready)
      for cause in own { latestEnds[Int(cause)] = min(latestEnds[Int(cause)], latest) }
    }

    for (position, operation) in sequence.enumerated() {
      positions[Int(operation)] = Int32(position)
    }
    var last = sequence.last { records[Int($0)].started != nil && ends[Int($0)] == end }
    last = last ?? sequence.last { ends[Int($0)] == end }
    while let operation = last {
      if records[Int(operation)].started != nil { criticalPath.append(operation) }
      // If several causes ended together, take the last one in the sequence. It may have waited for the others, and
      // then the path contains them, too.
      last = causes[Int(operation)].max {
        let (one, other) = (ends[Int($0)], ends[Int($1)])
        return one != other ? one < other : positions[Int($0)] < positions[Int($1)]
      }
    }
    criticalPath.reverse()
  }
}

/// When operations started and ended, and which operations they waited for.
private struct Times {
  private(set) var starts: [Int64]
  private(set) var ends: [Int64]
  /// For each operation, the predecessors that it waited for.
  private var predecessors: [[Int32]]

  /// Threads read the clock before the order of events is decided. So the recorded time of a start
  /// may be earlier than the end that it followed. Such a start is moved to that end.
  init(
    _ table: OperationTable, _ plan: GraphPlan, _ records: [OperationRecord], _ order: [Int32]
  ) {
    starts = Array(repeating: 0, count: records.count)
    ends = starts
    predecessors = Array(repeating: [], count: records.count)
    for operation in order {
      for successor in plan.successors(of: operation) {
        predecessors[Int(successor)].append(operation)
      }
    }
    for operation in order {
      let (index, record) = (Int(operation), records[Int(operation)])
      guard let finished = record.finished?.nanoseconds else { continue }
      predecessors[index] = predecessors[index].filter { records[Int($0)].finished != nil }.sorted()
      starts[index] = max(
        record.started?.nanoseconds ?? finished, record.ready?.nanoseconds ?? .min)
      switch table.options[operation]?.trigger {
      case .anySucceeded, .anyFailed:
        // The operation did not wait for all of its predecessors. It was made ready by the one that ended last before
        // it became ready.
        let ready = record.ready?.nanoseconds ?? finished
        let before = predecessors[index].filter { ends[Int($0)] <= ready }
        predecessors[index] =
          before.max { ends[Int($0)] < ends[Int($1)] }.map { [$0] } ?? []
      default:
        if record.started == nil {
          // The operation may have been cancelled before all its predecessors had ended.
          predecessors[index] = predecessors[index].filter { ends[Int($0)] <= finished }
        }
        for other in predecessors[index] { starts[index] = max(starts[index], ends[Int(other)]) }
      }
      ends[index] = max(finished, starts[index])
    }
  }

  /// The operations that each operation waited for. These are its predecessors. If an operation did not start as soon
  /// as it was ready, another one whose end allowed it to start is added.
  ///
  /// - Parameter sequence: the operations that have ended, in the order of their starts.
  func causes(in sequence: [Int32], _ records: [OperationRecord]) -> [[Int32]] {
    var causes = predecessors
    // An operation without duration cannot have delayed another one at the same instant.
    let finishers = sequence.filter {
      records[Int($0)].started != nil && starts[Int($0)] < ends[Int($0)]
    }.sorted { ends[Int($0)] < ends[Int($1)] }
    var next = 0
    /// Operations that freed a place which no other operation is known to have taken, in the order
    /// of their ends.
    var left: [Int32] = []
    for operation in sequence where records[Int(operation)].started != nil {
      let index = Int(operation)
      while next < finishers.count, ends[Int(finishers[next])] <= starts[index] {
        left.append(finishers[next])
        next += 1
      }
      let ready = max(
        records[index].ready?.nanoseconds ?? starts[index],
        predecessors[index].lazy.map { ends[Int($0)] }.max() ?? .min)
      if ready < starts[index], next > 0 {
        // If two operations waited, it was usually the ends of two different operations that allowed them to start.
        let last = finishers[next - 1]
        if let place = left.last, ends[Int(place)] > ready {
          left.removeLast()
          causes[index].append(place)
        } else if ends[Int(last)] > ready {
          causes[index].append(last)
        }
      } else if let place = left.last, predecessors[index].contains(place) {
        left.removeLast()
      }
    }
    return causes
  }
}
