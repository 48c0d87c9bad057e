import AgentMessages
import AsyncRuntime
import Foundation
import SwiftTasks
import TraceAnalysis
import TraceModel

#if canImport(Glibc)
  import Glibc
#endif

/// The recording of the program in this process.
enum ProgramRecording {
  nonisolated(unsafe) private static var folder: AgentFolder?

  static func start(in folder: AgentFolder) {
    RecordedStreams.prepare()
    guard TaskRecording.start(path: folder.recording) else { return }
    self.folder = folder
    saveMap()
    atexit {
      ProgramRecording.saveMap()
      ProgramRecording.folder?.noteExit()
    }
  }

  /// Saves the addresses at which the program has loaded its files.
  private static func saveMap() {
    guard let folder else { return }
    try? AddressMap.ownText.write(toFile: folder.map, atomically: true, encoding: .utf8)
  }

  /// Makes a file of runs from the recording of another process of the same program.
  ///
  /// It then ends the calling process.
  static func convert(in folder: AgentFolder, _ order: AgentOrder) -> Never {
    guard
      let bytes = try? Data(
        contentsOf: URL(fileURLWithPath: folder.recording), options: .alwaysMapped),
      let recording = bytes.withUnsafeBytes({ TaskRecords($0) })
    else { _exit(1) }
    let records = recording.records
    let map = (try? String(contentsOfFile: folder.map, encoding: .utf8)) ?? ""
    let names = RecordedNames(records, recordedMap: AddressMap(text: map))
    let program = ProgramArguments.programName
    let isWhole = folder.hasExited && !recording.isFull
    // A program may have recorded nothing for a long time when it is killed.
    let end = isWhole || recording.isFull ? nil : order.endTime.map { $0 - recording.start }
    let history = RecordedHistory(
      of: recording, program: program, names: names, endedByItself: isWhole,
      at: end.map { Instant(nanoseconds: $0) })
    var record = RunRecord(
      events: history.events, name: program, clock: .live,
      outcome: isWhole ? .success : .unfinished, start: .zero, end: history.end,
      dropped: recording.lost)
    record.error = recording.isFull ? "the disk had no room for more" : order.ending
    let run = SavedRun(
      name: program, source: program, composition: program, record: record, events: history.events)
    do {
      try SavedRuns(runs: [run]).write(to: folder.runs())
    } catch {
      _exit(1)
    }
    _exit(0)
  }
}
