internal import CSwiftTasks

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
  /// When the program exited or crashed, in nanoseconds since the recording began; nil if that is not known.
  public var end: Int64?
  /// The code with which the program exited; nil if it has not exited.
  public var exitCode: Int32?

  /// Reads all records that the file contains so far.
  ///
  /// The file may be torn or damaged. Of each block, the records before the first unreadable one are read.
  ///
  /// - Returns: nil if the bytes are not such a file.
  /// - Complexity: O(*n* log *n*) for *n* records.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    let startSize = MemoryLayout<SwiftTasksRecordingStart>.size
    guard bytes.count >= startSize, let base = bytes.baseAddress else { return nil }
    let header = base.loadUnaligned(as: SwiftTasksRecordingHeader.self)
    guard header.format == SWIFT_TASKS_RECORDING_FORMAT else { return nil }
    (isFull, start) = (header.isFull != 0, header.start)
    lost = Int(clamping: header.lost)
    let end = header.end &- start
    self.end = header.end == 0 || !(0..<TaskRecord.timeLimit).contains(end) ? nil : end
    exitCode = header.hasExited == 0 ? nil : header.exitCode
    // Buffers are read before the blocks of the file. If a thread appends its buffer to the file
    // in the meantime, its records are found there.
    var inBuffers: Set<UInt64> = []
    withUnsafeTemporaryAllocation(of: SwiftTasksBlock.self, capacity: 1) { copy in
      let copy = copy.baseAddress!
      let first = base + Int(SwiftTasksSizeOfBlock)
      for index in 0..<SwiftTasksBuffers {
        let buffer = (first + Int(index) * MemoryLayout<SwiftTasksBlock>.size)
          .assumingMemoryBound(to: SwiftTasksBlock.self)
        guard swift_tasks_readBuffer(buffer, copy) else { continue }
        inBuffers.insert(copy.pointee.number)
        read(UnsafeRawBufferPointer(start: copy, count: MemoryLayout<SwiftTasksBlock>.size))
      }
    }
    var number: UInt64 = 0
    var rest = UnsafeRawBufferPointer(rebasing: bytes[startSize...])
    while number < header.count, rest.count > MemoryLayout<SwiftTasksBlock>.headSize {
      number += 1
      let block = rest.prefix(MemoryLayout<SwiftTasksBlock>.size)
      rest = UnsafeRawBufferPointer(rebasing: rest[block.endIndex...])
      // A block that was not written yet has no number.
      if block.loadUnaligned(as: UInt64.self) == number, !inBuffers.contains(number) {
        read(UnsafeRawBufferPointer(rebasing: block))
      }
    }
    records.sort { $0.time < $1.time }
  }

  /// Adds the records of a block, which may be truncated.
  private mutating func read(_ block: UnsafeRawBufferPointer) {
    let headSize = MemoryLayout<SwiftTasksBlock>.headSize
    let used = block.loadUnaligned(
      fromByteOffset: MemoryLayout<SwiftTasksBlock>.offset(of: \.used)!, as: UInt32.self)
    var reader = BlockReader(block[headSize...].prefix(Int(used)), since: start)
    while let record = reader.next() { records.append(record) }
  }
}

extension MemoryLayout<SwiftTasksBlock> {
  /// The number of bytes before the records of a block.
  fileprivate static var headSize: Int { size - Int(SwiftTasksBytesOfBlock) }
}
