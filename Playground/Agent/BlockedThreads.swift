import AsyncRuntime
import SwiftTasks

/// The threads of a recorded program that are blocked, and the events that record the blocking.
///
/// The trace leaves out threads that were blocked only for a short time.
struct BlockedThreads {
  /// The trace does not count a thread as blocked if it continues sooner than this.
  private static let shortest = Duration.microseconds(200)
  /// For so long, the system may delay a thread.
  private static let longestDelay = Duration.milliseconds(20)

  /// The index of the event that blocked each thread, and its time.
  private var blocks: [UInt32: (event: Int, time: Instant)] = [:]
  /// The indices of events that blocked a thread only for a short time.
  private var short: Set<Int> = []

  /// - Parameter event: the index of the event that records that the thread is blocked.
  mutating func block(_ thread: UInt32, with event: Int, at time: Instant) {
    blocks[thread] = (event, time)
  }

  /// - Returns: whether the trace shows that the thread was blocked.
  mutating func unblock(_ thread: UInt32, at time: Instant) -> Bool {
    guard let block = blocks.removeValue(forKey: thread) else { return false }
    let isShown = block.time.duration(to: time) >= Self.shortest
    if !isShown { short.insert(block.event) }
    return isShown
  }

  /// The events without those that blocked a thread only for a short time.
  func leavingOutShort(_ events: [TraceEvent]) -> [TraceEvent] {
    if short.isEmpty { return events }
    return events.enumerated().filter { !short.contains($0.offset) }.map(\.element)
  }

  /// The findings for tasks that wait for a thread at the end, when all threads but the main one have long been blocked.
  func starvation(of tasks: RecordedTasks, at end: Instant) -> [TraceEvent] {
    func isLong(_ since: Instant) -> Bool { since.duration(to: end) >= Self.longestDelay }
    let running = tasks.running.filter { $0.thread != 0 }
    guard !running.isEmpty,
      running.allSatisfy({ blocks[$0.thread].map { isLong($0.time) } ?? false })
    else { return [] }
    return tasks.ready.filter { isLong($0.since) }.map { task, since in
      .misuse(
        "starvation",
        "was ready for \(since.duration(to: end).shortDescription) and found no free thread: "
          + "\(running.count) were blocked", of: task.span, at: end)
    }
  }

  /// The return addresses of the calls that blocked a thread, the innermost first.
  ///
  /// - Parameters:
  ///   - record: the record that reports the blocked thread.
  ///   - later: the records after it.
  static func callers(
    of record: TaskRecord, followedBy later: ArraySlice<TaskRecord>
  ) -> [UInt] {
    var addresses: [UInt] = []
    for next in later where next.thread == record.thread {
      guard case .frames(let first, let second) = next.kind else { break }
      addresses += [first, second]
    }
    return addresses
  }
}
