/// The times of a run, with what each operation had to wait for: the critical path backward from the end,
/// and how late each could have ended.
///
/// After J. E. Kelley and M. R. Walker (1959, doi:10.1145/1460299.1460318). Instead of the forward pass there
/// are the times as they were; what passed between the end of the last one that an operation waited for
/// and its own start, such as the way of a thread, is kept as it was. So the slack along the critical path
/// is exactly zero, on the live clock, too.
///
/// Operations that did not run stand in it as moments, since others may have waited for them.
struct Schedule {
  /// When the first operation could start.
  let begin: Int64
  /// When the last one ended.
  let end: Int64
  /// By operation; of use only for those that have ended.
  private(set) var starts: [Int64]
  private(set) var ends: [Int64]
  /// How late each could have ended.
  private(set) var latestEnds: [Int64]
  /// The operations that the whole time is made of and that ran, in order.
  private(set) var criticalPath: [Int32] = []

  /// - Parameter begin: when it began; when the first operation could start unless given.
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

    // What ends before another one starts, or as it does, stands before it: an operation without duration
    // waits for others of its instant by dependencies only, and these are in order.
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
      // Of several that ended together the one furthest on, so that nothing on the way is left out.
      last = causes[Int(operation)].max {
        let (one, other) = (ends[Int($0)], ends[Int($1)])
        return one != other ? one < other : positions[Int($0)] < positions[Int($1)]
      }
    }
    criticalPath.reverse()
  }
}

/// When operations started and ended, and what they waited for.
private struct Times {
  private(set) var starts: [Int64]
  private(set) var ends: [Int64]
  /// Of those before each operation, which it waited for.
  private var predecessors: [[Int32]]

  /// Threads read the clock before they agree on who comes first: where that has put a start before the end
  /// that it came after, the start is moved.
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
        // It did not wait for the others: the one that came last before it could start is who let it.
        let ready = record.ready?.nanoseconds ?? finished
        let before = predecessors[index].filter { ends[Int($0)] <= ready }
        predecessors[index] =
          before.max { ends[Int($0)] < ends[Int($1)] }.map { [$0] } ?? []
      default:
        if record.started == nil {
          // It may have been called off before those it waited for came to their ends.
          predecessors[index] = predecessors[index].filter { ends[Int($0)] <= finished }
        }
        for other in predecessors[index] { starts[index] = max(starts[index], ends[Int(other)]) }
      }
      ends[index] = max(finished, starts[index])
    }
  }

  /// What each operation waited for: those before it, and if it could have started earlier than it did, the
  /// one whose end let it.
  ///
  /// - Parameter sequence: operations that have ended, by their starts.
  func causes(in sequence: [Int32], _ records: [OperationRecord]) -> [[Int32]] {
    var causes = predecessors
    // One without duration cannot have been waited for by others of its instant.
    let finishers = sequence.filter {
      records[Int($0)].started != nil && starts[Int($0)] < ends[Int($0)]
    }.sorted { ends[Int($0)] < ends[Int($1)] }
    var next = 0
    /// Whose places nobody is known to have taken, the last one to end at the end.
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
        // Two that waited have mostly been let start by two ends.
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
