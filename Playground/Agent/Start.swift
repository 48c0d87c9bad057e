import AgentMessages
import AsyncSimulation
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Called when the program has loaded the agent, before its `main`.
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
    // Returns in the process of each schedule.
    server.serve().begin()
  case .record: ProgramRecording.start(in: folder)
  case .convert: ProgramRecording.convert(in: folder, order)
  case .replay(let schedule):
    ScheduledRun(ProgramRun.Plan(schedule), order, to: .folder(folder)).begin()
  }
}

/// Children of the program are as if the program had been started without the agent.
private func leaveEnvironment(_ order: AgentOrder) {
  unsetenv(AgentFolder.variable)
  if let preloaded = order.preloaded {
    setenv("LD_PRELOAD", preloaded, 1)
  } else {
    unsetenv("LD_PRELOAD")
  }
}

extension AgentOrder {
  /// A test bundle is started by another program, which loads the agent, too; and it is started several times, of which
  /// one is for Swift Testing.
  fileprivate var concernsThisProgram: Bool {
    guard isForTests else { return true }
    let arguments = ProgramArguments.all
    guard let program = arguments.first, program.hasSuffix(".xctest") else { return false }
    return arguments.contains("swift-testing") && !arguments.contains("--list-tests")
  }
}
