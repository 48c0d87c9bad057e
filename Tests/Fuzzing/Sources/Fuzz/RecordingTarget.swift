import SwiftTasks
import TimingTrace

@testable import Agent

#if canImport(Glibc)
  import Glibc
#endif

/// Damages a recording of an unchanged program, and reads it.
///
/// The recording is made by this program when it starts, so it always has the current format. The first two bytes of an
/// input say how much of the recording is missing. The other bytes are a list of changes to the recording: a place and
/// the new bytes for each.
enum RecordingTarget {
  static func run(_ bytes: [UInt8]) -> Int32 {
    // Each run of libFuzzer starts with the empty input.
    if bytes.isEmpty { readTasksThatAreTheirOwnAncestors() }
    var input = InputBytes(bytes)
    let missing = Int(input.byte()) << 8 | Int(input.byte())
    RecordedBase.shared.withCopy { file in
      while !input.isEmpty {
        let place = RecordedBase.shared.place(
          Int(input.byte()) << 8 | Int(input.byte()), input.byte())
        for offset in 0..<(1 + input.index(below: 16)) where place + offset < file.count {
          file[place + offset] = input.byte()
        }
      }
      read(UnsafeRawBufferPointer(rebasing: file.dropLast(missing * file.count >> 16)))
    }
    return 0
  }

  private static func read(_ file: UnsafeRawBufferPointer) {
    guard let recording = TaskRecords(file) else { return }
    show(recording)
  }

  /// Two tasks, each of which claims to be the child of the other. A reader that follows parents without a limit never
  /// ends.
  private static func readTasksThatAreTheirOwnAncestors() {
    RecordedBase.shared.withCopy { file in
      guard var recording = TaskRecords(UnsafeRawBufferPointer(file)) else {
        fatalError("an undamaged recording cannot be read")
      }
      check(!recording.records.isEmpty, "an undamaged recording has no records")
      let kinds: [(task: UInt32, kind: TaskRecord.Kind)] = [
        (1, .created(parent: 2, flags: TaskFlags(bits: 0), place: 0)),
        (2, .created(parent: 1, flags: TaskFlags(bits: 0), place: 0)),
        (1, .started(executor: 0, type: 0)), (2, .started(executor: 0, type: 0)),
        (1, .suspended(.task(2))), (2, .completed(nil)),
      ]
      recording.records = kinds.enumerated().map { index, record in
        TaskRecord(time: Int64(index), thread: 1, task: record.task, other: 0, kind: record.kind)
      }
      show(recording)
    }
  }

  private static func show(_ recording: TaskRecords) {
    // Without a map, no address of the recording is looked up in this process.
    let names = RecordedNames(recording.records, recordedMap: AddressMap(text: ""))
    let history = RecordedHistory(
      of: recording, program: "fuzz", names: names,
      outcome: recording.records.count & 1 == 0 ? .success : .unfinished, at: nil)
    let record = RunRecord(
      events: history.events, name: "fuzz", clock: .live, outcome: .unfinished, start: .zero,
      end: history.end, dropped: recording.lost)
    let run = SavedRun(
      name: "fuzz", source: "fuzz", composition: "fuzz", record: record, events: history.events)
    RunsTarget.show(SavedRuns(runs: [run]), isExporting: false)
  }
}
