internal import CSwiftTasks

/// One thing that a task has done.
public struct TaskRecord: Sendable {
  public enum Kind: Sendable {
    /// `other` made the task, which may be a child of `parent`, and starts in `function`. Tasks that were made at the same
    /// place have the same number for it; 0 is none.
    case created(parent: UInt32, flags: TaskFlags, function: UInt, place: UInt16)
    /// It belongs to the group `other`.
    case group
    /// Where it was made: the addresses to which that call and the one around it returned. Known of the first task of a
    /// place, and of those without a number.
    case site(UInt, UInt)
    /// Two words of the closure that the task calls; known of the same tasks.
    case closure(UInt, UInt)
    /// Some bytes of the task’s name.
    case name([UInt8])
    /// `other` made it ready.
    case ready
    /// It wakes `other` after that many nanoseconds.
    case sleeps(Int64)
    /// It runs on an executor, which is an object that begins with `type`; 0 is the pool.
    case started(executor: UInt, type: UInt)
    case suspended(Dependency)
    /// How it ended; nil if that is not known.
    case completed(Outcome?)
    /// How it had ended.
    case outcome(Outcome?)
    /// `other` cancelled it.
    case cancelled
    /// `other` cancelled a group. Its number stands in place of the task.
    case groupCancelled
    /// It blocks its thread, in a function whose name is at the address.
    case blocked(function: UInt)
    case unblocked
    /// Two of the functions in which it does, from the innermost on.
    case frames(UInt, UInt)
    /// Some bytes of an event that a library reports, from byte `other` on.
    case library([UInt8])
    /// From now on the thread runs for a span of a library, and so do the tasks that start on it. Outside of tasks,
    /// `actor` acts. 0 is none.
    case onBehalf(span: UInt32, actor: UInt32)
    /// The buffer of a stream holds so many values. `site` is the address to which the call returns that added the last.
    case buffer(storage: UInt, count: UInt32, site: UInt)
  }

  /// What a suspended task waits for.
  public enum Dependency: Sendable {
    case unknown
    case task(UInt32)
    case continuation
    case group
    /// Other tasks, which are to run first.
    case yield
    /// An executor, which is an object that begins with `type`; 0 is the pool.
    case executor(UInt, type: UInt)
  }

  public enum Outcome: Sendable {
    case success
    /// An error of the type whose descriptor lies at the address; 0 if it has none.
    case failure(descriptor: UInt)
  }

  /// Nanoseconds since the recording began.
  public var time: Int64
  /// 0 is the main thread.
  public var thread: UInt32
  public var task: UInt32
  /// Another task; 0 is none.
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

/// What a file holds that ``TaskRecording`` has written.
public struct TaskRecords: Sendable {
  /// In the order of their times.
  public var records: [TaskRecord] = []
  /// How many records were lost.
  public var lost: Int
  /// Whether the disk had no room for more.
  public var isFull: Bool
  /// When the recording began, in nanoseconds of the monotonic clock.
  public var start: Int64

  /// Reads a file, as far as it was written.
  ///
  /// - Returns: nil if it is no such file.
  /// - Complexity: O(*n* log *n*).
  public init?(_ bytes: UnsafeRawBufferPointer) {
    let startSize = MemoryLayout<SwiftTasksRecordingStart>.size
    guard bytes.count >= startSize, let base = bytes.baseAddress else { return nil }
    let file = base.assumingMemoryBound(to: SwiftTasksRecordingHeader.self)
    let header = file.pointee
    let begin = header.start
    (isFull, start) = (header.isFull != 0, begin)
    // First the buffers: what is written behind the other records meanwhile is read there.
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

  /// The records that threads have not written behind the others, with the number of the first of each thread.
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
