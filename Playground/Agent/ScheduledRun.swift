import AgentMessages
import AsyncSimulation
import CPlaygroundAgent
import TraceAnalysis
import TraceModel

#if canImport(Glibc)
  import Glibc
#endif

/// Runs the program in this process under a schedule, and reports the result.
///
/// It also reports when the process crashes or exceeds its time limit.
final class ScheduledRun {
  enum Destination {
    /// The server reads the report from this file.
    case memory(MemoryFile)
    /// The playground reads the report about tests of this library from this folder.
    case folder(AgentFolder, TestLibrary?)
    /// A child of the program reports nothing.
    case nowhere
  }

  private let run: ProgramRun
  private let order: AgentOrder
  private let destination: Destination
  private var hasReported = false

  /// The run of this process. The system calls functions that have no other access to it.
  nonisolated(unsafe) private static var current: ScheduledRun?

  /// The program that runs under a schedule in this process; nil if none does.
  static var program: ProgramRun? { current?.run }

  init(_ plan: ProgramRun.Plan, _ order: AgentOrder, to destination: Destination) {
    run = ProgramRun(plan, as: order.exploration)
    self.order = order
    self.destination = destination
  }

  /// Puts the process under the schedule, and returns. The program then runs in `main`.
  func begin() {
    Self.current = self
    atexit { ScheduledRun.current?.report(nil) }
    playground_agent_onFatalSignal { ScheduledRun.current?.report(nil, hasCrashed: true) }
    if !order.stops {
      playground_agent_after(order.timeLimit) {
        ScheduledRun.current?.isOverdue()
      } _: {
        ScheduledRun.current?.run.carrier ?? 0
      }
    }
    run.takeOverProcess(as: Self.name) { ScheduledRun.current?.end($0) }
  }

  private func isOverdue() {
    let limit = Duration.seconds(order.timeLimit)
    end(Finding("ends in time", InterruptedThread().description(after: limit)), isOverdue: true)
  }

  private func end(_ finding: Finding, isOverdue: Bool = false) -> Never {
    report(finding, isOverdue: isOverdue)
    if order.stops { raise(SIGTRAP) }
    _exit(0)
  }

  private static var name: String { ProgramArguments.programName }

  private func saved(_ finding: Finding?, hasCrashed: Bool) -> SavedRun {
    let hasEnded = finding == nil && !hasCrashed
    let events = run.events(endedByItself: hasEnded)
    var record = RunRecord(
      events: events, name: Self.name, clock: .virtual,
      outcome: hasEnded ? .success : .unfinished, start: .zero, end: run.now)
    record.error = finding?.detail
    record.isIncomplete = hasCrashed
    return SavedRun(
      name: Self.name, source: Self.name, composition: Self.name, record: record, events: events
    )
  }

  private func report(_ finding: Finding?, hasCrashed: Bool = false, isOverdue: Bool = false) {
    guard !hasReported else { return }
    hasReported = true
    switch destination {
    case .memory(let file): RunReport.write(run, finding, isOverdue: isOverdue, to: file.descriptor)
    case .folder(let folder, let library):
      var report = AgentReport()
      report.library = library
      report.finding = finding
      report.narration = run.narration(hasEnded: !isOverdue)
      try? folder.write(report)
      let saved = saved(finding, hasCrashed: hasCrashed)
      try? SavedRuns(runs: [saved]).write(to: folder.runs(of: library))
    case .nowhere: break
    }
  }
}
