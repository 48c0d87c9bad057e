import AgentMessages
import AsyncRuntime
import CPlaygroundAgent
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
    playground_agent_recordCrashes()
    on_exit(
      { code, _ in
        // The time that saving takes does not belong to the program.
        TaskRecording.noteExit(code: code)
        ProgramRecording.saveMap()
      }, nil)
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
    let ending = ending(of: recording, order)
    let outcome = outcome(of: recording, ending)
    // A program may have recorded nothing for a long time when it ends.
    let end = recording.end ?? order.endTime.map { $0 - recording.start }
    let history = RecordedHistory(
      of: recording, program: program, names: names, outcome: outcome,
      at: recording.isFull ? nil : end.map { Instant(nanoseconds: $0) })
    var record = RunRecord(
      events: history.events, name: program, clock: .live, outcome: outcome, start: .zero,
      end: history.end, dropped: recording.lost)
    record.error =
      recording.isFull ? "the disk had no room for more" : ending?.finding(output: "")?.detail
    record.isIncomplete = recording.exitCode == nil || outcome == .unfinished
    let run = SavedRun(
      name: program, source: program, composition: program, record: record, events: history.events)
    do {
      try SavedRuns(runs: [run]).write(to: folder.runs())
    } catch {
      _exit(1)
    }
    _exit(0)
  }

  /// How the recorded program ended; nil if that is not known.
  private static func ending(of recording: TaskRecords, _ order: AgentOrder) -> ProcessEnding? {
    order.ending ?? recording.exitCode.map { .exited($0) }
  }

  private static func outcome(
    of recording: TaskRecords, _ ending: ProcessEnding?
  ) -> RunRecord.Outcome {
    switch ending {
    case _ where recording.isFull: .unfinished
    case .exited(0): recording.exitCode == nil ? .unfinished : .success
    case .exited: .failure
    case .signalled, nil: .unfinished
    }
  }
}
