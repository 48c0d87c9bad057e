internal import CSwiftTasks

/// One event of a task, as a recording contains it.
public struct TaskRecord: Sendable {
  public enum Kind: Sendable {
    /// `other` made the task, which starts in `function` and may be a child of `parent`. `place` is
    /// the same number for all tasks that were made at the same place; 0 is none.
    case created(parent: UInt32, flags: TaskFlags, function: UInt, place: UInt16)
    /// The task belongs to the group `other`.
    case group
    /// The place where the task was made: the return addresses of the call that made it, and of the
    /// call around that. Recorded only for the first task of a place, and for tasks without a place
    /// number.
    case site(UInt, UInt)
    /// Two words of the closure that the task calls. Recorded for the same tasks as `site`.
    case closure(UInt, UInt)
    /// Some bytes of the task’s name.
    case name([UInt8])
    /// `other` made the task ready.
    case ready
    /// The task will wake `other` after this many nanoseconds.
    case sleeps(Int64)
    /// The task runs on an executor, an object whose first word is `type`; 0 is the pool.
    case started(executor: UInt, type: UInt)
    case suspended(Dependency)
    /// The task has completed with this outcome; nil if the outcome is not known.
    case completed(Outcome?)
    /// The outcome of a task whose completion was recorded before.
    case outcome(Outcome?)
    /// `other` cancelled the task.
    case cancelled
    /// `other` cancelled a group. `task` is the number of the group.
    case groupCancelled
    /// The task blocks its thread in a function. The name of the function is at this address.
    case blocked(function: UInt)
    case unblocked
    /// Two of the functions in which the task blocks, from the innermost to the outermost.
    case frames(UInt, UInt)
    /// Sixteen bytes of an event that a library reports, starting with byte number `other`.
    case library([UInt8])
    /// From now on the thread runs for a span of a library, and so do the tasks that start on it.
    /// `actor` is the span that acts outside tasks. 0 is none.
    case onBehalf(span: UInt32, actor: UInt32)
    /// The buffer of a stream holds `count` values. `site` is the return address of the call that
    /// added the last one.
    case buffer(storage: UInt, count: UInt32, site: UInt)
  }

  /// A dependency of a suspended task.
  public enum Dependency: Sendable {
    case unknown
    case task(UInt32)
    case continuation
    case group
    /// The task lets other tasks run first.
    case yield
    /// The task waits for an executor, an object whose first word is `type`; 0 is the pool.
    case executor(UInt, type: UInt)
  }

  public enum Outcome: Sendable {
    case success
    /// The task threw an error. Its type has the descriptor at this address; 0 if there is none.
    case failure(descriptor: UInt)
  }

  /// Nanoseconds since the recording began.
  public var time: Int64
  /// 0 is the main thread.
  public var thread: UInt32
  public var task: UInt32
  /// The number of another task; 0 is none.
  public var other: UInt32
  public var kind: Kind

  public init(time: Int64, thread: UInt32, task: UInt32, other: UInt32, kind: Kind) {
    self.time = time
    self.thread = thread
    self.task = task
    self.other = other
    self.kind = kind
  }

  fileprivate init?(_ record: SwiftTasksRecord, since start: Int64) {
    time = record.time - start
    thread = record.thread
    task = record.task
    other = record.other
    let (first, second) = (UInt(record.values.0), UInt(record.values.1))
    switch SwiftTasksRecordKind(record.kind) {
    case SwiftTasksRecordCreated:
      kind = .created(
        parent: UInt32(truncatingIfNeeded: first), flags: TaskFlags(bits: UInt32(first >> 32)),
        function: second & (1 << 48 - 1), place: UInt16(truncatingIfNeeded: second >> 48))
    case SwiftTasksRecordGroup: kind = .group
    case SwiftTasksRecordSite: kind = .site(first, second)
    case SwiftTasksRecordClosure: kind = .closure(first, second)
    case SwiftTasksRecordName:
      kind = .name(withUnsafeBytes(of: record.values) { $0.filter { $0 != 0 } })
    case SwiftTasksRecordLibrary: kind = .library(withUnsafeBytes(of: record.values, Array.init))
    case SwiftTasksRecordOnBehalf:
      kind = .onBehalf(
        span: UInt32(truncatingIfNeeded: first), actor: UInt32(truncatingIfNeeded: second))
    case SwiftTasksRecordBuffer: kind = .buffer(storage: first, count: record.other, site: second)
    case SwiftTasksRecordReady: kind = .ready
    case SwiftTasksRecordSleeps: kind = .sleeps(Int64(record.values.1))
    case SwiftTasksRecordStarted: kind = .started(executor: first, type: second)
    case SwiftTasksRecordSuspended:
      kind = .suspended(Self.dependency(of: record.other, first, second))
    case SwiftTasksRecordCompleted: kind = .completed(Self.outcome(record.other, first))
    case SwiftTasksRecordOutcome: kind = .outcome(Self.outcome(record.other, first))
    case SwiftTasksRecordCancelled: kind = .cancelled
    case SwiftTasksRecordGroupCancelled: kind = .groupCancelled
    case SwiftTasksRecordBlocked: kind = .blocked(function: first)
    case SwiftTasksRecordUnblocked: kind = .unblocked
    case SwiftTasksRecordFrames: kind = .frames(first, second)
    default: return nil
    }
  }

  private static func outcome(_ number: UInt32, _ descriptor: UInt) -> Outcome? {
    switch SwiftTasksOutcome(number) {
    case SwiftTasksOutcomeSuccess: .success
    case SwiftTasksOutcomeFailure: .failure(descriptor: descriptor)
    default: nil
    }
  }

  private static func dependency(of kind: UInt32, _ first: UInt, _ second: UInt) -> Dependency {
    switch kind {
    case 1: .task(UInt32(truncatingIfNeeded: first))
    case 2: .continuation
    case 3: .group
    case UInt32(SWIFT_TASKS_DEPENDENCY_YIELD): .yield
    case 4: .executor(first, type: second)
    default: .unknown
    }
  }
}

/// The content of a file that ``TaskRecording`` has written.
public struct TaskRecords: Sendable {
  /// The records, in the order of their times.
  public var records: [TaskRecord] = []
  /// The number of records that were lost.
  public var lost: Int
  /// Whether the recording stopped because it could not write, for example for lack of room on the
  /// disk.
  public var isFull: Bool
  /// When the recording began, in nanoseconds of the monotonic clock.
  public var start: Int64

  /// Reads all records that the file contains so far.
  ///
  /// - Returns: nil if the bytes are not such a file.
  /// - Complexity: O(*n* log *n*) for *n* records.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    let startSize = MemoryLayout<SwiftTasksRecordingStart>.size
    guard bytes.count >= startSize, let base = bytes.baseAddress else { return nil }
    let file = base.assumingMemoryBound(to: SwiftTasksRecordingHeader.self)
    let header = file.pointee
    let begin = header.start
    (isFull, start) = (header.isFull != 0, begin)
    // The buffers come first: records that threads append to the file in the meantime are then read
    // there.
    let inBuffers = Self.inBuffers(of: base)
    let size = MemoryLayout<SwiftTasksRecord>.stride
    let room = UInt64((bytes.count - startSize) / size)
    let count = Int(min(file.pointee.count, header.capacity, room))
    let blocks = Set(inBuffers.map(\.start))
    records.reserveCapacity(count)
    for block in stride(from: 0, to: count, by: SwiftTasksRecordsOfBuffer)
    where !blocks.contains(block) {
      for index in block..<min(block + SwiftTasksRecordsOfBuffer, count) {
        let record = bytes.loadUnaligned(
          fromByteOffset: startSize + index * size, as: SwiftTasksRecord.self)
        if let record = TaskRecord(record, since: begin) { records.append(record) }
      }
    }
    for buffer in inBuffers {
      records += buffer.records.compactMap { TaskRecord($0, since: begin) }
    }
    records.sort { $0.time < $1.time }
    lost = Int(clamping: header.lost)
  }

  /// The records that threads have not yet appended to the file. `start` is the index of the first
  /// record of each buffer.
  private static func inBuffers(
    of file: UnsafeRawPointer
  ) -> [(start: Int, records: [SwiftTasksRecord])] {
    let first = file + MemoryLayout<SwiftTasksRecordingHeader>.stride
    let limit = SwiftTasksRecordsOfBuffer
    return (0..<SwiftTasksBuffers).compactMap { index in
      let buffer = (first + index * MemoryLayout<SwiftTasksBuffer>.stride)
        .assumingMemoryBound(to: SwiftTasksBuffer.self)
      var start: UInt64 = 0
      let records = [SwiftTasksRecord](unsafeUninitializedCapacity: limit) { records, count in
        var used: UInt32 = 0
        start = swift_tasks_readBuffer(buffer, records.baseAddress!, &used)
        count = start == 0 ? 0 : Int(used)
      }
      return start == 0 ? nil : (Int(start) - 1, records)
    }
  }
}
