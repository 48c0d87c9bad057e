import CSwiftTasks
import SwiftTasks

/// A file of a recording in memory, with blocks that a test fills.
final class RecordingFile {
  /// When the recording began.
  static let start: Int64 = 5_000_000_000

  private static let startSize = MemoryLayout<SwiftTasksRecordingStart>.size
  static let blockSize = MemoryLayout<SwiftTasksBlock>.size
  private static let headSize = blockSize - Int(SwiftTasksBytesOfBlock)
  static let headerSize = Int(SwiftTasksSizeOfBlock)

  let bytes: UnsafeMutableRawBufferPointer
  private var header: UnsafeMutablePointer<SwiftTasksRecordingHeader> {
    bytes.baseAddress!.assumingMemoryBound(to: SwiftTasksRecordingHeader.self)
  }

  init(blocks: Int) {
    let count = Self.startSize + blocks * Self.blockSize
    bytes = .allocate(byteCount: count, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    header.pointee.format = SWIFT_TASKS_RECORDING_FORMAT
    header.pointee.count = UInt64(blocks)
    header.pointee.capacity = UInt64(blocks)
    header.pointee.start = Self.start
  }

  deinit { bytes.deallocate() }

  /// Writes that the program exited with a code, at a time in nanoseconds since the recording began.
  func exit(_ code: Int32, at time: Int64) {
    header.pointee.end = Self.start + time
    header.pointee.hasExited = 1
    header.pointee.exitCode = code
  }

  /// The number of bytes before the first block.
  var startSize: Int { Self.startSize }

  /// Writes records to a block in the file, as the thread with that number.
  ///
  /// - Returns: the number of bytes of the file up to the end of each record.
  @discardableResult
  func write(
    _ records: [SwiftTasksRecord], toBlock number: Int, of thread: UInt32 = 0
  ) -> [Int] {
    write(records, at: Self.startSize + (number - 1) * Self.blockSize, number, thread)
  }

  /// Writes records to a buffer, which stands for the block with that number.
  func write(
    _ records: [SwiftTasksRecord], toBuffer index: Int, as number: Int, of thread: UInt32
  ) {
    write(records, at: Self.headerSize + index * Self.blockSize, number, thread)
  }

  @discardableResult
  private func write(
    _ records: [SwiftTasksRecord], at place: Int, _ number: Int, _ thread: UInt32
  ) -> [Int] {
    let block = bytes.baseAddress! + place
    let begin = (block + Self.headSize).assumingMemoryBound(to: UInt8.self)
    var coding = SwiftTasksCoding()
    let first = SwiftTasksRecord(
      time: records.first?.time ?? 0, kind: SwiftTasksRecordThread.rawValue, task: 0,
      other: thread, values: (0, 0))
    var next = begin
    let ends = ([first] + records).map { record in
      next = swift_tasks_writeRecord(next, &coding, record)
      return place + Self.headSize + (next - begin)
    }
    block.storeBytes(of: UInt64(number), as: UInt64.self)
    block.storeBytes(
      of: UInt32(next - begin), toByteOffset: MemoryLayout<SwiftTasksBlock>.offset(of: \.used)!,
      as: UInt32.self)
    return Array(ends.dropFirst())
  }

  /// What a reader finds in the first bytes of the file; nil if it finds no recording.
  func read(first count: Int? = nil) -> TaskRecords? {
    TaskRecords(UnsafeRawBufferPointer(rebasing: bytes[..<(count ?? bytes.count)]))
  }
}

/// A record, with a time in nanoseconds since the recording began.
func record(
  _ kind: SwiftTasksRecordKind, at time: Int64 = 0, of task: UInt32 = 0, _ other: UInt32 = 0,
  _ first: UInt64 = 0, _ second: UInt64 = 0
) -> SwiftTasksRecord {
  SwiftTasksRecord(
    time: RecordingFile.start + time, kind: kind.rawValue, task: task, other: other,
    values: (first, second))
}
