import AsyncRuntime
import SwiftTasks

/// The threads of a recorded program that are blocked, and the events that record the blocking.
///
/// The trace leaves out threads that were blocked only for a short time.
struct BlockedThreads {
  /// The trace does not count a thread as blocked if it continues sooner than this.
  private static let shortest = Duration.microseconds(200)

  /// The index of the event that blocked each thread, and its time.
  private var blocks: [UInt32: (event: Int, time: Instant)] = [:]
  /// The indices of events that blocked a thread only for a short time.
  private var short: Set<Int> = []

  /// How many threads are blocked.
  var count: Int { blocks.count }

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
