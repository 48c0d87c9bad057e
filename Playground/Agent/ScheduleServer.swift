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
  private let library: TestLibrary?
  private var search: ProgramSearch
  /// The files for the runs that could start now.
  private var free: [RunFiles]
  /// The copies in progress.
  private var running: [pid_t: (plan: ProgramRun.Plan, files: RunFiles)] = [:]
  private let parent = getppid()
  private var saidCount = 0
  /// The exit code of Swift Testing if there is no test to run.
  private static let noTests = EX_UNAVAILABLE

  /// The report of a run, and the output of its program.
  private struct RunFiles {
    let report = MemoryFile("report"), output = MemoryFile("output")
  }

  /// - Parameter library: the library of the tests that the program runs; nil if it runs none.
  init(_ order: AgentOrder, in folder: AgentFolder, for library: TestLibrary?) {
    self.order = order
    self.folder = folder
    self.library = library
    search = ProgramSearch(order.exploration)
    free = (0..<max(order.exploration.threads, 1)).map { _ in RunFiles() }
  }

  /// Tries all schedules, and then ends the process. It returns only in the copies.
  ///
  /// - Returns: the run that the copy must begin.
  mutating func serve() -> ScheduledRun {
    playground_agent_listenForInterruption()
    // The server determines the limits once, so that the copies need not.
    var answer = AgentReport()
    answer.library = library
    answer.limits = RuntimeSupport.current.limits
    search: while true {
      switch next() {
      case .plan(let plan):
        let files = free.removeLast()
        files.report.clear()
        files.output.clear()
        let process = playground_agent_fork()
        if process == 0 { return run(plan, writingTo: files) }
        guard process > 0 else { break search }
        running[process] = (plan, files)
        if !free.isEmpty { continue }
      case .wait: break
      case .finished: break search
      }
      guard let (ending, plan, files) = endOfOne() else { continue }
      if search.triedCount == 0, hasNoTests(ending, files) {
        answer.hasNoTests = true
        break
      }
      learn(ending, of: plan, from: files)
      free.append(files)
      sayCount()
    }
    for process in running.keys { kill(process, SIGKILL) }
    answer.exploration = search.report
    try? folder.write(answer)
    _exit(0)
  }

  /// Whether the program had no test to run.
  private func hasNoTests(_ ending: ProcessEnding, _ files: RunFiles) -> Bool {
    switch library {
    case nil: return false
    case .swiftTesting: return ending == .exited(Self.noTests)
    case .xctest:
      // The last line counts all tests.
      let text = String(decoding: files.output.bytes.suffix(200), as: UTF8.self)
      let last = text.split(separator: "\n").last
      return ending == .exited(0) && last?.contains("Executed 0 tests") == true
    }
  }

  private mutating func next() -> NextPlan<ProgramRun.Plan> {
    // If the playground has ended, nothing reads the report.
    if playground_agent_isInterrupted() || getppid() != parent { search.interrupt() }
    return search.next()
  }

  private func run(_ plan: ProgramRun.Plan, writingTo files: RunFiles) -> ScheduledRun {
    playground_agent_endWithParent()
    // Ctrl-C in the terminal reaches only the server, which then ends the copies.
    setpgid(0, 0)
    signal(SIGTERM, SIG_DFL)
    signal(SIGINT, SIG_DFL)
    let nothing = open("/dev/null", O_RDONLY)
    dup2(nothing, 0)
    dup2(files.output.descriptor, 1)
    dup2(files.output.descriptor, 2)
    return ScheduledRun(plan, order, to: .memory(files.report))
  }

  /// Waits for the end of one of the copies.
  ///
  /// - Returns: nil if the exploration was interrupted, or the system cannot wait.
  private mutating func endOfOne() -> (ProcessEnding, ProgramRun.Plan, RunFiles)? {
    var status: Int32 = 0
    while true {
      if playground_agent_isInterrupted() { return nil }
      let process = waitpid(-1, &status, 0)
      if process < 0, errno != EINTR { return nil }
      guard let (plan, files) = running.removeValue(forKey: process) else { continue }
      return (ProcessEnding(status: status), plan, files)
    }
  }

  private mutating func learn(
    _ ending: ProcessEnding, of plan: ProgramRun.Plan, from files: RunFiles
  ) {
    let run = RunReport(files.report.bytes)
    let text = String(decoding: files.output.bytes.suffix(8_000), as: UTF8.self)
    search.learn(
      ProgramOutcome(
        finding: run.details.finding ?? ending.finding(output: text), drawn: run.drawn,
        counts: run.counts, eventCount: run.eventCount, narration: run.details.narration,
        awaitedOutside: Set(
          run.details.awaitedOutside.map { $0.compactMap { CodeAddress(number: $0) } }),
        hasEscaped: run.hasEscaped || !run.isWhole),
      of: plan, isOverdue: run.details.isOverdue)
  }

  /// Writes the number of tried schedules, after every 50 of them.
  private mutating func sayCount() {
    let count = search.triedCount
    guard count >= saidCount + 50 else { return }
    saidCount = count
    folder.write(tried: count)
  }
}
