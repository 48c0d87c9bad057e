import AgentMessages
import AsyncPatterns
import AsyncSimulation
import SystemSteps
import TimingTrace

#if canImport(Glibc)
  import Glibc
#endif

/// `trace follow FILE` and `record --follow`: draw a program while it is being recorded.
extension Session {
  /// Draws what has been recorded so far, again and again in one place, until the program ends or the user presses
  /// Ctrl-C. Ctrl-C does not affect the program. If standard output is not a terminal, it draws once.
  ///
  /// - Parameter file: the file that the recording will be saved to.
  func follow(recordingFor file: String) async {
    do {
      let link = RecordingLink(beside: file)
      guard let folder = link.folder else {
        throw CommandError(
          "no program is being recorded for “\(file)”",
          hint: "“playground record --save \(file) -- ./program” records one; "
            + "“playground trace show \(file)” draws a saved one")
      }
      let following = Task { try await draw(folder, while: { link.folder?.path == folder.path }) }
      interruption.watch(CancellableWork { following.cancel() })
      let end = await following.result
      interruption.watch(nil)
      console.showPassing(nil)
      switch end {
      case .success(.ended):
        console.say("  the program has ended; playground trace show \(file)")
      case .success(.drawnOnce): break
      case .failure(is CancellationError): console.say("  the program is still running")
      case .failure(let error): throw error
      }
    } catch {
      fail(error)
    }
  }

  private enum EndOfFollowing { case ended, drawnOnce }

  private func draw(
    _ folder: AgentFolder, while isRecording: () -> Bool
  ) async throws -> EndOfFollowing {
    while isRecording() {
      let begin = LiveRuntime.shared.now
      if let run = try await runSoFar(in: folder) {
        guard console.canShowPassing else {
          console.record(run.record.json)
          console.say(Timeline(run.record, isUnderWay: true).render(style))
          return .drawnOnce
        }
        let picture = frame(of: run.record, lines: max(TerminalStyle.windowHeight - 1, 1))
        console.showPassing(picture.joined(separator: "\n"))
      }
      try await waitForNextDrawing(after: begin)
    }
    return .ended
  }

  /// Waits half a second, or longer for a large recording, so that reading it takes at most a fifth of the time.
  ///
  /// - Parameter begin: when the last drawing began.
  private func waitForNextDrawing(after begin: Instant) async throws {
    let runtime = LiveRuntime.shared
    let cost = begin.duration(to: runtime.now)
    try await SchedulerClock(runtime.main).sleep(for: max(.milliseconds(500), cost * 4))
  }

  /// `playground record --follow`: draws the program that this playground records in the lower half of the terminal,
  /// until the calling task is cancelled. The program's own output scrolls above.
  func drawBelow(_ folder: AgentFolder) async {
    defer { LastRows.giveBack() }
    while !Task.isCancelled {
      let begin = LiveRuntime.shared.now
      let room = TerminalStyle.windowHeight / 2
      // A recording that cannot be read now may be readable later.
      if let run = try? await runSoFar(in: folder), !Task.isCancelled {
        let lines = frame(of: run.record, lines: room).map(String.init)
        _ = LastRows.show(lines + Array(repeating: "", count: room - lines.count))
      }
      try? await waitForNextDrawing(after: begin)
    }
  }

  /// - Returns: nil if the program has ended, or has not started to record.
  private func runSoFar(in folder: AgentFolder) async throws -> SavedRun? {
    guard let (program, environment) = ProgramFile.recorded(in: folder),
      access(folder.recording, R_OK) == 0
    else {
      if let recorder = folder.order?.recorder, kill(recorder, 0) != 0 {
        throw CommandError(
          "the playground that recorded the program was killed", hint: "record it again")
      }
      return nil
    }
    let execution = try ProgramExploration(
      program, AgentOrder(.convert, as: Exploration(), timeLimit: 0))
    let answer = try await execution.answer(for: folder, in: environment)
    if let run = answer.run { return run }
    // Ctrl-C in the terminal reaches both processes.
    if case .signalled(SIGINT) = answer.end { throw CancellationError() }
    // If the program has ended meanwhile, the other playground reads the whole recording.
    guard ProgramFile.recorded(in: folder) != nil else { return nil }
    let last = answer.output.split(whereSeparator: \.isNewline).suffix(5)
    throw CommandError(
      "the recording of “\(program.path)” so far cannot be read",
      hint: last.isEmpty
        ? "“playground trace show” draws it once the program has ended"
        : last.joined(separator: "\n  "))
  }

  /// The picture, with at most `room` lines. If the tasks do not fit, those that have ended are left out.
  private func frame(of record: RunRecord, lines room: Int) -> [Substring] {
    let tasks = record.steps.count { $0.pattern == "task" }
    let linesAroundSteps = 4
    let hasRoom = record.steps.count + linesAroundSteps <= room
    let shown = hasRoom ? record : record.unfinished
    let timeline = Timeline(shown, isUnderWay: true)
    let open = record.steps.count { $0.pattern == "task" && $0.finished == nil }
    let account = "  \(tasks.of("task")), \(open) of them unfinished"
    return frame(of: timeline, lines: room - 1) + [Substring(account)]
  }
}
