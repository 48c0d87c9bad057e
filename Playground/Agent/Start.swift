import AgentMessages
import AsyncSimulation
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Starts the agent. It is called after the program has loaded the agent, and before `main`.
@_cdecl("playground_agent_start")
func start() {
  guard let path = getenv(AgentFolder.variable) else { return }
  let folder = AgentFolder(String(cString: path))
  guard let order = folder.order, order.concernsThisProgram else { return }
  guard folder.claim() else {
    if order.includesChildren { ScheduledRun(.firstInFirstOut, order, to: .nowhere).begin() }
    return
  }
  if !order.includesChildren { leaveEnvironment(order) }
  switch order.work {
  case .explore:
    var server = ScheduleServer(order, in: folder)
    // `serve` returns only in the process of each schedule.
    server.serve().begin()
  case .record: ProgramRecording.start(in: folder)
  case .convert: ProgramRecording.convert(in: folder, order)
  case .replay(let schedule):
    ScheduledRun(ProgramRun.Plan(schedule), order, to: .folder(folder)).begin()
  }
}

/// Restores the environment, so that children of the program start without the agent.
private func leaveEnvironment(_ order: AgentOrder) {
  unsetenv(AgentFolder.variable)
  if let preloaded = order.preloaded {
    setenv("LD_PRELOAD", preloaded, 1)
  } else {
    unsetenv("LD_PRELOAD")
  }
}

extension AgentOrder {
  /// Whether the order is for the program in this process.
  ///
  /// The program that starts a test bundle loads the agent, too. It starts the bundle several
  /// times, and only one of these processes runs Swift Testing.
  fileprivate var concernsThisProgram: Bool {
    guard isForTests else { return true }
    let arguments = ProgramArguments.all
    guard let program = arguments.first, program.hasSuffix(".xctest") else { return false }
    return arguments.contains("swift-testing") && !arguments.contains("--list-tests")
  }
}
