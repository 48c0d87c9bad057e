import AgentMessages
import AsyncSimulation
import CPlaygroundAgent
import Foundation
import SwiftTasks

#if canImport(Glibc)
  import Glibc
#endif

/// Explores the program: copies the process for each schedule, before `main`.
///
/// So the program and its libraries are loaded only once.
struct ScheduleServer {
  private let order: AgentOrder
  private let folder: AgentFolder
  private var search: ProgramSearch
  /// The report of a run, and the output of its program.
  private let report = MemoryFile("report"), output = MemoryFile("output")
  private let parent = getppid()
  private var saidCount = 0
  /// The exit code of Swift Testing if there is no test to run.
  private static let noTests = EX_UNAVAILABLE

  init(_ order: AgentOrder, in folder: AgentFolder) {
    self.order = order
    self.folder = folder
    search = ProgramSearch(order.exploration)
  }

  /// Tries all schedules, and then ends the process. It returns only in the copies.
  ///
  /// - Returns: the run that the copy must begin.
  mutating func serve() -> ScheduledRun {
    playground_agent_listenForInterruption()
    // The server determines the limits once, so that the copies need not.
    var answer = AgentReport()
    answer.limits = RuntimeSupport.current.limits
    while let plan = next() {
      report.clear()
      output.clear()
      let process = playground_agent_fork()
      if process == 0 { return run(plan) }
      guard process > 0 else { break }
      guard let ending = wait(for: process) else { continue }
      if order.isForTests, ending == .exited(Self.noTests) {
        answer.hasNoTests = true
        break
      }
      learn(ending)
      sayCount()
    }
    answer.exploration = search.report
    try? folder.write(answer)
    _exit(0)
  }

  private mutating func next() -> ProgramRun.Plan? {
    // If the playground has ended, nothing reads the report.
    if playground_agent_isInterrupted() || getppid() != parent { search.interrupt() }
    return search.next()
  }

  private func run(_ plan: ProgramRun.Plan) -> ScheduledRun {
    playground_agent_endWithParent()
    signal(SIGTERM, SIG_DFL)
    signal(SIGINT, SIG_DFL)
    let nothing = open("/dev/null", O_RDONLY)
    dup2(nothing, 0)
    dup2(output.descriptor, 1)
    dup2(output.descriptor, 2)
    return ScheduledRun(plan, order, to: .memory(report))
  }

  /// Waits for the end of a process.
  ///
  /// - Returns: nil if the exploration was interrupted, or the system cannot wait.
  private func wait(for process: pid_t) -> ProcessEnding? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
      if playground_agent_isInterrupted() { kill(process, SIGKILL) }
    }
    return playground_agent_isInterrupted() ? nil : ProcessEnding(status: status)
  }

  private mutating func learn(_ ending: ProcessEnding) {
    let run = RunReport(report.bytes)
    let text = String(decoding: output.bytes.suffix(8_000), as: UTF8.self)
    search.learn(
      ProgramOutcome(
        finding: run.details.finding ?? ending.finding(output: text), drawn: run.drawn,
        counts: run.counts, eventCount: run.eventCount, narration: run.details.narration,
        awaitedOutside: Set(
          run.details.awaitedOutside.map { $0.compactMap { CodeAddress(number: $0) } })),
      isOverdue: run.details.isOverdue)
  }

  /// Writes the number of tried schedules, after every 50 of them.
  private mutating func sayCount() {
    let count = search.triedCount
    guard count >= saidCount + 50 else { return }
    saidCount = count
    folder.write(tried: count)
  }
}
