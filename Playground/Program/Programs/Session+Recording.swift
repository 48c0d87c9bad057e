import AgentMessages
import AsyncPatterns
import AsyncSimulation
import TimingTrace

/// The request of `playground record`.
struct RecordingRequest: Sendable {
  /// The program and its arguments.
  let program: [String]
  /// The file that the recording will be saved to.
  let file: String
  /// Whether the programs that the program starts are recorded, too.
  let includesChildren: Bool
  /// How much of the end of each run is kept; nil for all of it.
  let last: Duration?
  /// Whether the program is drawn while it runs.
  let isFollowed: Bool
}

extension Session {
  /// `playground record -- ./program`: runs a program as often as the settings say, and keeps what its tasks did.
  func record(_ request: RecordingRequest) async {
    do {
      let program = try ProgramFile(request.program, for: "record --save \(request.file)")
      if request.isFollowed, !console.canShowProgress {
        throw CommandError(
          "“--follow” needs a terminal that can move the cursor, and no --json",
          hint: "in another terminal, “playground trace follow \(request.file)” draws the program")
      }
      let count = settings.runs ?? 1
      for number in 1...max(count, 1) where !interruption.isRaised {
        try await recordOnce(program, request)
        guard programCode ?? 0 != 0 else { continue }
        if number < count {
          console.complain("  stopped after run \(number) of \(count), which failed")
        }
        break
      }
    } catch {
      fail(error)
    }
  }

  private func recordOnce(_ program: ProgramFile, _ request: RecordingRequest) async throws {
    var order = AgentOrder(.record, as: Exploration(), timeLimit: 0)
    order.includesChildren = request.includesChildren
    let execution = try ProgramExploration(program, order)
    interruption.begin(execution)
    defer { interruption.end() }
    let link = RecordingLink(beside: request.file)
    link.point(to: execution.folder)
    defer { link.remove(ifPointingTo: execution.folder) }
    let drawing = request.isFollowed ? Task { await drawBelow(execution.folder) } : nil
    defer { drawing?.cancel() }
    let answer = try await execution.recorded(limit: settings.timeLimit)
    drawing?.cancel()
    await drawing?.value
    guard let run = answer.run else {
      throw answer.withoutReport(program.path, before: "it could be recorded")
    }
    let kept = keep(FinishedRun(imported: run.last(request.last)))
    let tasks = kept.record.steps.count { $0.pattern == "task" }
    console.complain("  recorded \(tasks.of("task"))")
    if answer.isOverdue, let reason = kept.record.error {
      console.complain("  \(reason)")
      status.add(.unfinished)
    }
    try await keepChildren(of: execution.folder, request.last)
    programCode =
      switch answer.end {
      case .exited(let code): code
      case .signalled(let signal): 128 + signal
      }
  }

  /// Keeps the runs of the Swift programs that the recorded program has started.
  private func keepChildren(of folder: AgentFolder, _ last: Duration?) async throws {
    for child in folder.children {
      guard let program = ProgramFile(ofChild: child) else { continue }
      let execution = try ProgramExploration(
        program, AgentOrder(.convert, as: Exploration(), timeLimit: 0))
      interruption.begin(execution)
      guard let run = try await execution.answer(for: child).run else {
        console.complain("  the recording of “\(program.path)” could not be read")
        continue
      }
      let kept = keep(FinishedRun(imported: run.last(last)))
      let tasks = kept.record.steps.count { $0.pattern == "task" }
      console.complain("  recorded \(tasks.of("task")) of “\(run.name)”, which the program started")
    }
  }
}

extension SavedRun {
  fileprivate func last(_ duration: Duration?) -> SavedRun { duration.map(lastPart) ?? self }
}
