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
  let isChild = getenv(childVariable).map { String(cString: $0) } == folder.path
  guard let order = folder.order, order.concernsThisProgram(isChild: isChild) else { return }
  let library = order.testLibraries == nil || isChild ? nil : TestLibrary.ofThisProgram
  guard !isChild, folder.claim(for: library) else {
    if library != nil, order.isSimulation {
      // Another process has claimed these tests, or has ended the exploration.
      _exit(0)
    }
    if order.includesChildren { startInChild(order, in: folder) }
    return
  }
  if order.includesChildren {
    setenv(childVariable, folder.path, 1)
  } else {
    leaveEnvironment(order)
  }
  switch order.work {
  case .explore:
    var server = ScheduleServer(order, in: folder, for: library)
    // `serve` returns only in the copies of the process, one for each schedule.
    server.serve().begin()
  case .record: ProgramRecording.start(in: folder)
  case .convert: ProgramRecording.convert(in: folder, order)
  case .replay(let schedule):
    ScheduledRun(ProgramRun.Plan(schedule), order, to: .folder(folder, library)).begin()
  }
}

/// Starts the agent in a program that the program has started.
private func startInChild(_ order: AgentOrder, in folder: AgentFolder) {
  switch order.work {
  case .explore, .replay: ScheduledRun(.firstInFirstOut, order, to: .nowhere).begin()
  case .record: if let own = folder.makeChild() { ProgramRecording.start(in: own) }
  // The recorded program has already ended.
  case .convert: break
  }
}

/// The environment variable that the program sets for its children. The programs that start the program do not have
/// the variable. It holds the path of the folder.
private let childVariable = "PLAYGROUND_AGENT_CHILD"

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
  /// The program that starts a test bundle loads the agent, too. It also starts the bundle to list
  /// its tests.
  fileprivate func concernsThisProgram(isChild: Bool) -> Bool {
    guard let testLibraries, !isChild else { return true }
    return TestLibrary.ofThisProgram.map(testLibraries.contains) ?? false
  }

  /// Whether the program runs under schedules.
  fileprivate var isSimulation: Bool {
    switch work {
    case .explore, .replay: true
    case .record, .convert: false
    }
  }
}

extension TestLibrary {
  /// The library whose tests this process runs; nil if it runs none.
  fileprivate static var ofThisProgram: TestLibrary? {
    let arguments = ProgramArguments.all
    guard let program = arguments.first, program.hasSuffix(".xctest") else { return nil }
    if ["--list-tests", "--dump-tests-json"].contains(where: arguments.contains) { return nil }
    if arguments.contains(TestLibrary.swiftTesting.rawValue) { return .swiftTesting }
    return arguments.contains("-l") ? nil : .xctest
  }
}
