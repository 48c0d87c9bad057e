internal import CSwiftTasks

/// Reads the records of one block of a recording.
struct BlockReader {
  private let start: Int64
  private var rest: UnsafeRawBufferPointer
  private var coding = SwiftTasksCoding()
  private var thread: UInt32 = 0
  private var executors: [UInt64: (address: UInt, type: UInt)] = [:]

  /// - Parameters:
  ///   - bytes: the bytes of the records. The last one may be truncated.
  ///   - start: when the recording began, in nanoseconds of the monotonic clock.
  init(_ bytes: Slice<UnsafeRawBufferPointer>, since start: Int64) {
    rest = UnsafeRawBufferPointer(rebasing: bytes)
    self.start = start
  }

  /// - Returns: nil after the last record that can be read.
  mutating func next() -> TaskRecord? {
    while let record = nextRecord() {
      switch SwiftTasksRecordKind(record.kind) {
      case SwiftTasksRecordThread:
        thread = record.other
        executors = [:]
      case SwiftTasksRecordExecutor:
        executors[UInt64(record.other)] = (UInt(record.values.0), UInt(record.values.1))
      default:
        let time = record.time &- start
        // A time outside this range shows that the bytes are damaged.
        guard let kind = kind(of: record), (0..<TaskRecord.timeLimit).contains(time) else {
          return nil
        }
        return TaskRecord(
          time: time, thread: thread, task: record.task, other: record.other, kind: kind)
      }
    }
    return nil
  }

  private mutating func nextRecord() -> SwiftTasksRecord? {
    var record = SwiftTasksRecord()
    guard let begin = rest.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let end = swift_tasks_readRecord(begin, begin + rest.count, &coding, &record)
    else { return nil }
    rest = UnsafeRawBufferPointer(start: end, count: rest.count - (end - begin))
    return record
  }

  private func kind(of record: SwiftTasksRecord) -> TaskRecord.Kind? {
    let (first, second) = (UInt(record.values.0), UInt(record.values.1))
    switch SwiftTasksRecordKind(record.kind) {
    case SwiftTasksRecordCreated:
      let flags = TaskFlags(bits: UInt32(truncatingIfNeeded: first))
      let distance = UInt32(truncatingIfNeeded: second >> 32)
      return .created(
        parent: flags.isChild ? record.other &+ distance : 0, flags: flags,
        place: UInt16(truncatingIfNeeded: second))
    case SwiftTasksRecordSite: return .site(function: first, site: second)
    case SwiftTasksRecordCaller: return .caller(first)
    case SwiftTasksRecordClosure: return .closure(first, second)
    case SwiftTasksRecordGroup: return .group
    case SwiftTasksRecordName:
      return .name(withUnsafeBytes(of: record.values) { $0.filter { $0 != 0 } })
    case SwiftTasksRecordReady: return .ready
    case SwiftTasksRecordSleeps: return .sleeps(Int64(clamping: first))
    case SwiftTasksRecordStarted:
      let executor = executor(record.values.0)
      return .started(executor: executor.address, type: executor.type)
    case SwiftTasksRecordSuspended: return .suspended(dependency(of: record))
    case SwiftTasksRecordCompleted: return .completed(outcome(of: record))
    case SwiftTasksRecordOutcome: return .outcome(outcome(of: record))
    case SwiftTasksRecordCancelled: return .cancelled
    case SwiftTasksRecordGroupCancelled: return .groupCancelled
    case SwiftTasksRecordBlocked: return .blocked(function: first)
    case SwiftTasksRecordUnblocked: return .unblocked
    case SwiftTasksRecordFrames: return .frames(first, second)
    case SwiftTasksRecordLibrary:
      return .library(withUnsafeBytes(of: record.values, Array.init))
    case SwiftTasksRecordOnBehalf:
      return .onBehalf(
        span: UInt32(truncatingIfNeeded: first), actor: UInt32(truncatingIfNeeded: second))
    case SwiftTasksRecordBuffer:
      return .buffer(storage: first, count: record.other, site: second)
    default: return nil
    }
  }

  private func outcome(of record: SwiftTasksRecord) -> TaskRecord.Outcome? {
    switch SwiftTasksOutcome(record.other) {
    case SwiftTasksOutcomeSuccess: .success
    case SwiftTasksOutcomeFailure: .failure(descriptor: UInt(record.values.0))
    default: nil
    }
  }

  private func dependency(of record: SwiftTasksRecord) -> TaskRecord.Dependency {
    switch SwiftTasksDependencyKind(record.other) {
    case SwiftTasksDependencyTask: return .task(UInt32(truncatingIfNeeded: record.values.0))
    case SwiftTasksDependencyContinuation: return .continuation(in: UInt(record.values.0))
    case SwiftTasksDependencyGroup: return .group
    case SwiftTasksDependencyYield: return .yield
    case SwiftTasksDependencyExecutor:
      let executor = executor(record.values.0)
      return .executor(
        executor.address, type: executor.type,
        holder: UInt32(truncatingIfNeeded: record.values.1))
    default: return .unknown
    }
  }

  /// The executor with that number. The number 0 is the pool.
  private func executor(_ number: UInt64) -> (address: UInt, type: UInt) {
    executors[number] ?? (0, 0)
  }
}
