import CSwiftTasks
import SwiftTasks
import Testing

/// The file of a recording: its coding, and what a reader finds in it.
@Suite struct RecordingFormatTests {
  private static let kinds = (1..<SwiftTasksRecordKinds.rawValue).map { SwiftTasksRecordKind($0) }

  /// Records whose fields need each possible number of bytes.
  private static func records(of kind: SwiftTasksRecordKind) -> [SwiftTasksRecord] {
    let times: [Int64] = [0, 1, -1, 127, 128, -40_000, 1 << 33, .max, .min]
    let numbers: [UInt32] = [0, 1, 127, 128, 255, 256, 65_535, 65_536, .max - 1, .max]
    let values: [UInt64] = [0, 1, 65_535, 65_536, 1 << 32 - 1, 1 << 32, .max]
    return times.map { SwiftTasksRecord(kind, at: $0, 7, 7, 0, 0) }
      + numbers.flatMap {
        [SwiftTasksRecord(kind, at: 3, $0, 7, 0, 0), SwiftTasksRecord(kind, at: 3, 7, $0, 0, 0)]
      }
      + values.flatMap {
        [SwiftTasksRecord(kind, at: 3, 7, 7, $0, 0), SwiftTasksRecord(kind, at: 3, 7, 7, 0, $0)]
      } + [SwiftTasksRecord(kind, at: .min, .max, .max, .max, .max)]
  }

  @Test func `the file shows when the program exited`() throws {
    let file = RecordingFile(blocks: 0)
    let running = try #require(file.read())
    #expect(running.end == nil && running.exitCode == nil)
    file.exit(3, at: 7)
    let ended = try #require(file.read())
    #expect(ended.end == 7 && ended.exitCode == 3)
    // Only damage makes a time before the beginning.
    file.exit(3, at: -1)
    #expect(try #require(file.read()).end == nil)
  }

  @Test(arguments: kinds) func `reading restores each written record`(
    _ kind: SwiftTasksRecordKind
  ) throws {
    let started = SwiftTasksRecord(SwiftTasksRecordStarted, at: 2, 5, 0, 0, 0)
    // Other records change what the coding expects.
    let written = Self.records(of: kind).flatMap { [$0, started] }
    withUnsafeTemporaryAllocation(
      byteCount: written.count * Int(SwiftTasksLongestRecord) + 8, alignment: 1
    ) { buffer in
      let bytes = buffer.bindMemory(to: UInt8.self).baseAddress!
      var coding = SwiftTasksCoding()
      let end = written.reduce(bytes) { swift_tasks_writeRecord($0, &coding, $1) }
      coding = SwiftTasksCoding()
      var next: UnsafePointer<UInt8>? = UnsafePointer(bytes)
      for record in written {
        var back = SwiftTasksRecord()
        next = next.flatMap { swift_tasks_readRecord($0, end, &coding, &back) }
        #expect(next != nil && back.description == record.description)
      }
      #expect(next == UnsafePointer(end))
    }
  }

  @Test func `a usual hop takes 14 bytes`() {
    let file = RecordingFile(blocks: 1)
    let ends = file.write(
      [
        record(SwiftTasksRecordStarted, at: 0, of: 41),
        record(SwiftTasksRecordReady, at: 900, of: 40, 41),
        record(
          SwiftTasksRecordSuspended, at: 1_000, of: 41, SwiftTasksDependencyContinuation.rawValue),
        record(SwiftTasksRecordStarted, at: 1_400, of: 40),
      ], toBlock: 1)
    #expect(ends[3] - ends[0] == 14)
  }

  /// A record of each kind that a reader shows, and what it shows.
  private static let shown: [(SwiftTasksRecord, String)] = [
    (
      record(
        SwiftTasksRecordCreated, at: 1, of: 9, 7, 1 << 24 | 21 << 8, 3 | UInt64(UInt32.max) << 32),
      "7 created(parent: 6, flags: SwiftTasks.TaskFlags(bits: 16782592), place: 3)"
    ),
    (
      record(SwiftTasksRecordCreated, at: 2, of: 9, 7, 21 << 8, 0),
      "7 created(parent: 0, flags: SwiftTasks.TaskFlags(bits: 5376), place: 0)"
    ),
    (
      record(SwiftTasksRecordSite, at: 3, of: 9, 0, 4_096, 8_192),
      "0 site(function: 4096, site: 8192)"
    ),
    (record(SwiftTasksRecordCaller, at: 4, of: 9, 0, 12_288), "0 caller(12288)"),
    (
      record(SwiftTasksRecordClosure, at: 5, of: 9, 2, .max, 1),
      "2 closure(18446744073709551615, 1)"
    ),
    (record(SwiftTasksRecordGroup, at: 6, of: 9, 5), "5 group"),
    (record(SwiftTasksRecordName, at: 7, of: 9, 0, 0x6261, 0x63), "0 name([97, 98, 99])"),
    (record(SwiftTasksRecordReady, at: 8, of: 9, 7), "7 ready"),
    (record(SwiftTasksRecordSleeps, at: 9, of: 9, 7, .max), "7 sleeps(9223372036854775807)"),
    (record(SwiftTasksRecordStarted, at: 10, of: 9), "0 started(executor: 0, type: 0)"),
    (record(SwiftTasksRecordStarted, at: 11, of: 9, 1, 2), "1 started(executor: 64, type: 80)"),
    (
      record(SwiftTasksRecordSuspended, at: 12, of: 9, SwiftTasksDependencyTask.rawValue, 8),
      "1 suspended(SwiftTasks.TaskRecord.Dependency.task(8))"
    ),
    (
      record(SwiftTasksRecordSuspended, at: 13, of: 9, SwiftTasksDependencyContinuation.rawValue),
      "2 suspended(SwiftTasks.TaskRecord.Dependency.continuation(in: 0))"
    ),
    (
      record(SwiftTasksRecordSuspended, at: 14, of: 9, SwiftTasksDependencyGroup.rawValue),
      "3 suspended(SwiftTasks.TaskRecord.Dependency.group)"
    ),
    (
      record(SwiftTasksRecordSuspended, at: 15, of: 9, SwiftTasksDependencyExecutor.rawValue, 2, 7),
      "4 suspended(SwiftTasks.TaskRecord.Dependency.executor(64, type: 80, holder: 7))"
    ),
    (
      record(SwiftTasksRecordSuspended, at: 16, of: 9, SwiftTasksDependencyYield.rawValue),
      "255 suspended(SwiftTasks.TaskRecord.Dependency.yield)"
    ),
    (
      record(SwiftTasksRecordSuspended, at: 17, of: 9),
      "0 suspended(SwiftTasks.TaskRecord.Dependency.unknown)"
    ),
    (
      record(SwiftTasksRecordCompleted, at: 18, of: 9, SwiftTasksOutcomeFailure.rawValue, 77),
      "2 completed(Optional(SwiftTasks.TaskRecord.Outcome.failure(descriptor: 77)))"
    ),
    (record(SwiftTasksRecordCompleted, at: 19, of: 9), "0 completed(nil)"),
    (
      record(SwiftTasksRecordOutcome, at: 20, of: 9, SwiftTasksOutcomeSuccess.rawValue),
      "1 outcome(Optional(SwiftTasks.TaskRecord.Outcome.success))"
    ),
    (record(SwiftTasksRecordCancelled, at: 21, of: 9, 7), "7 cancelled"),
    (record(SwiftTasksRecordGroupCancelled, at: 22, of: 9, 7), "7 groupCancelled"),
    (record(SwiftTasksRecordBlocked, at: 23, of: 9, 0, 99), "0 blocked(function: 99)"),
    (record(SwiftTasksRecordFrames, at: 24, of: 9, 0, 1, 2), "0 frames(1, 2)"),
    (record(SwiftTasksRecordUnblocked, at: 25, of: 9), "0 unblocked"),
    (
      record(SwiftTasksRecordLibrary, at: 26, of: 9, 16, 1, 2),
      "16 library([1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])"
    ),
    (record(SwiftTasksRecordOnBehalf, at: 27, of: 9, 0, 3, 4), "0 onBehalf(span: 3, actor: 4)"),
    (
      record(SwiftTasksRecordBuffer, at: 28, of: 9, 64, 5, 6),
      "64 buffer(storage: 5, count: 64, site: 6)"
    ),
  ]

  /// The number 2 stands for an executor from here on.
  private static let executor = record(SwiftTasksRecordExecutor, of: 9, 2, 64, 80)

  @Test func `a reader finds a record of each kind`() throws {
    let read: Set<UInt32> = Set(Self.shown.map(\.0.kind))
    let ofCoding: Set = [SwiftTasksRecordThread.rawValue, SwiftTasksRecordExecutor.rawValue]
    #expect(read.union(ofCoding) == Set(Self.kinds.map(\.rawValue)))
    let file = RecordingFile(blocks: 1)
    file.write([Self.executor] + Self.shown.map(\.0), toBlock: 1, of: 3)
    let records = try #require(file.read()).records
    #expect(records.map(\.time) == Self.shown.map { $0.0.time - RecordingFile.start })
    #expect(records.allSatisfy { $0.task == 9 && $0.thread == 3 })
    #expect(records.map { "\($0.other) \($0.kind)" } == Self.shown.map(\.1))
  }

  @Test func `of a file that ends anywhere, everything before is found`() throws {
    let file = RecordingFile(blocks: 2)
    let first = file.write([Self.executor] + Self.shown.map(\.0), toBlock: 1)
    let second = file.write([Self.executor] + Self.shown.map(\.0), toBlock: 2)
    let incomplete = [0..<4_096, file.startSize - 4_096..<file.startSize].joined()
    #expect(incomplete.allSatisfy { file.read(first: $0) == nil })
    for ends in [first, second] {
      let earlier = ends == first ? 0 : Self.shown.count
      for count in file.startSize...ends.last! where count >= ends[0] {
        let whole = ends.dropFirst().count { $0 <= count }
        #expect(try #require(file.read(first: count)).records.count == earlier + whole)
      }
    }
  }

  @Test func `a buffer is read in place of its block in the file`() throws {
    let file = RecordingFile(blocks: 2)
    file.write([record(SwiftTasksRecordReady, at: 2, of: 5)], toBlock: 1)
    file.write([record(SwiftTasksRecordReady, at: 4, of: 6)], toBuffer: 900, as: 1, of: 8)
    file.write([record(SwiftTasksRecordReady, at: 3, of: 7)], toBuffer: 2, as: 2, of: 9)
    let records = try #require(file.read()).records
    #expect(records.map(\.task) == [7, 6])
    #expect(records.map(\.thread) == [9, 8])
  }

  @Test(arguments: 0..<40) func `a damaged file does not crash the reader`(_ seed: UInt64) throws {
    var random = seed
    func next(below limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % limit
    }
    let file = RecordingFile(blocks: 2)
    file.write([Self.executor] + Self.shown.map(\.0), toBlock: 1)
    file.write([Self.executor] + Self.shown.map(\.0), toBlock: 2)
    file.write([Self.executor] + Self.shown.map(\.0), toBuffer: 1, as: 9, of: 1)
    let format = MemoryLayout<UInt64>.size
    for _ in 0..<100 {
      // In the header, the written buffer, and both blocks.
      let places = [
        next(below: 256) + format,
        RecordingFile.headerSize + RecordingFile.blockSize + next(below: 512),
        file.startSize + next(below: 512),
        file.startSize + RecordingFile.blockSize + next(below: 512),
      ]
      for place in places { file.bytes[place] = UInt8(next(below: 256)) }
      let records = try #require(file.read()).records
      #expect(records.allSatisfy { $0.time >= 0 })
      #expect(zip(records, records.dropFirst()).allSatisfy { $0.time <= $1.time })
    }
  }

  @Test func `a file in another format is refused`() {
    let file = RecordingFile(blocks: 1)
    file.bytes[0] ^= 1
    #expect(file.read() == nil)
  }
}

extension SwiftTasksRecord {
  fileprivate init(
    _ kind: SwiftTasksRecordKind, at time: Int64, _ task: UInt32, _ other: UInt32,
    _ first: UInt64, _ second: UInt64
  ) {
    self.init(time: time, kind: kind.rawValue, task: task, other: other, values: (first, second))
  }

  fileprivate var description: String { "\(time) \(kind) \(task) \(other) \(values)" }
}
