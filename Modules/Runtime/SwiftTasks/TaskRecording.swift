internal import CSwiftTasks

/// Records what the tasks of a process do, as it happens.
///
/// The file is written in memory that the system keeps, so that what was recorded is there also if the process is killed.
public enum TaskRecording {
  /// Records to a new file from now on.
  ///
  /// - Parameter limit: how many records there may be; later ones are lost.
  /// - Returns: false if the file cannot be made.
  public static func start(path: String, limit: UInt64 = 200_000_000) -> Bool {
    install()
    return swift_tasks_startRecording(path, limit)
  }
}

/// One thing that a task has done.
public struct TaskRecord: Sendable {
  public enum Kind: Sendable {
    /// `other` made the task, which may be a child of `parent`, and starts in `function`.
    case created(parent: UInt32, function: UInt)
    /// Two words of the closure that the task calls.
    case closure(UInt, UInt)
    /// Some bytes of the task’s name.
    case name([UInt8])
    /// `other` made it ready.
    case ready
    /// It wakes `other` after that many nanoseconds.
    case sleeps(Int64)
    /// It runs on an executor, which is an object that begins with `type`; 0 is the pool.
    case started(executor: UInt, type: UInt)
    case suspended
    case completed
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

  /// Reads a file that ``TaskRecording`` has written, as far as that came.
  ///
  /// - Returns: the records in the order of their times, and how many were lost; nil if it is no such file.
  /// - Complexity: O(*n* log *n*).
  public static func read(_ bytes: UnsafeRawBufferPointer) -> (records: [TaskRecord], lost: Int)? {
    let headerSize = MemoryLayout<SwiftTasksRecordingHeader>.stride
    let size = MemoryLayout<SwiftTasksRecord>.stride
    guard bytes.count >= headerSize else { return nil }
    let header = bytes.loadUnaligned(as: SwiftTasksRecordingHeader.self)
    let room = UInt64((bytes.count - headerSize) / size)
    let count = Int(min(header.count, header.capacity, room))
    var records: [TaskRecord] = []
    records.reserveCapacity(count)
    for index in 0..<count {
      let record = bytes.loadUnaligned(
        fromByteOffset: headerSize + index * size, as: SwiftTasksRecord.self)
      if let record = TaskRecord(record, since: header.start) { records.append(record) }
    }
    records.sort { $0.time < $1.time }
    return (records, Int(clamping: header.count) - count)
  }

  private init?(_ record: SwiftTasksRecord, since start: Int64) {
    time = record.time - start
    thread = record.thread
    task = record.task
    other = record.other
    let (first, second) = (UInt(record.values.0), UInt(record.values.1))
    switch SwiftTasksRecordKind(record.kind) {
    case SwiftTasksRecordCreated:
      kind = .created(parent: UInt32(truncatingIfNeeded: first), function: second)
    case SwiftTasksRecordClosure: kind = .closure(first, second)
    case SwiftTasksRecordName:
      kind = .name(withUnsafeBytes(of: record.values) { $0.filter { $0 != 0 } })
    case SwiftTasksRecordReady: kind = .ready
    case SwiftTasksRecordSleeps: kind = .sleeps(Int64(record.values.1))
    case SwiftTasksRecordStarted: kind = .started(executor: first, type: second)
    case SwiftTasksRecordSuspended: kind = .suspended
    case SwiftTasksRecordCompleted: kind = .completed
    default: return nil
    }
  }
}
