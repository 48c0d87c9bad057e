import AgentMessages
import AsyncPatterns
import AsyncSimulation
import Foundation
import SystemSteps
import TimingTrace

/// An exploration of a program, or one run of the program, while it is in progress. It can be cancelled and awaited.
final class ProgramExploration: SignalReceiver, @unchecked Sendable {
  // Safe to share: only the code that runs the exploration uses the state that is not locked.
  /// The reports of the agents, how the process ended, and the program's output, unless that went to the terminal.
  struct Answer {
    /// One report, or one for each testing library of a test bundle.
    var reports: [AgentReport]
    /// The run of a replay or a recording.
    var run: SavedRun?
    var end: ProgramProcess.End
    var output = ""
    /// Whether the recorded program was stopped at its time limit.
    var isOverdue = false
  }

  private struct State: Sendable {
    var process: Int32?
    /// Whether the program is about to start, so that its process is not known yet.
    var isStarting = false
    /// Whether this program ends, so that no other program may start.
    var isEnding = false
    var isCancelled = false
    /// The signal that has cancelled the exploration, and ends this program afterwards.
    var endingSignal: Int32?
    /// Whether the program is to be explored.
    var isExploring = false
    /// Whether the program is to be recorded. It then handles signals itself, as if it had been started alone.
    var isRecording = false
    /// When a signal was last passed to the recorded program, or may have ended it.
    var lastSignal: Instant?
    /// A signal that arrived before the recorded program ran.
    var early: Int32?
    /// Whether the recorded program has reached its time limit.
    var isOverdue = false

    /// Passes a signal to the program, or keeps it until the program runs.
    mutating func pass(_ signal: Int32) {
      lastSignal = LiveRuntime.shared.now
      if let process { kill(process, signal) } else { early = signal }
    }

    /// Whether a signal that arrives now belongs to the request that has ended the recorded program. `timeout` sends its
    /// signal twice.
    var isSameRequest: Bool {
      lastSignal.map { $0.duration(to: LiveRuntime.shared.now) < SignalCount.window } ?? false
    }
  }

  private let program: ProgramFile
  /// The environment variables of the program, in addition to those of this process.
  private var environment: [String: String] = [:]
  private var order: AgentOrder
  /// The path that the agent is loaded from.
  private var agent: String?
  let folder: AgentFolder
  private let state = Locked(State())

  /// - Throws: `AgentFolder.Fault` if the folder of the agent cannot be made.
  init(_ program: ProgramFile, _ order: AgentOrder) throws(AgentFolder.Fault) {
    self.program = program
    var order = order
    order.testLibraries = program.testLibraries(for: order.work)
    order.preloaded = ProcessInfo.processInfo.environment["LD_PRELOAD"]
    order.recorder = getpid()
    self.order = order
    let folder = try AgentFolder.make()
    self.folder = folder
    state.withLock { state in
      switch order.work {
      case .explore: state.isExploring = true
      case .record: state.isRecording = true
      case .replay, .convert: break
      }
    }
    ProgramExploration.folders.withLock { [state] folders in
      folders?[folder.path] = state
      if folders == nil { state.withLock { $0.isEnding = true } }
    }
    try folder.write(order)
  }

  deinit {
    folder.remove()
    _ = Self.folders.withLock { $0?.removeValue(forKey: folder.path) }
  }

  /// The paths of the folders of all programs; nil when this program ends.
  private static let folders = Locked<[String: Locked<State>]?>([:])

  /// Kills the programs that are being explored or recorded, and removes their folders. Must be called when this program
  /// ends. No program can start afterwards.
  static func removeFolders() {
    for (path, state) in folders.withLock({ $0.take() ?? [:] }) {
      let folder = AgentFolder(path)
      state.withLock { $0.isEnding = true }
      let second = 1_000
      for _ in 0..<second where state.withLock({ $0.isStarting }) { usleep(1_000) }
      if let process = folder.process ?? state.withLock({ $0.process }) { kill(process, SIGKILL) }
      // A killed program may write to its folder until it has ended, so removal may take several attempts.
      for _ in 0..<100 where FileManager.default.fileExists(atPath: path) { folder.remove() }
    }
  }

  /// How many schedules have been tried.
  var schedules: Int { folder.triedCount }

  /// The signal that has cancelled the exploration, if it was not Ctrl-C. This program must end by it.
  var endingSignal: Int32? { state.withLock { $0.endingSignal } }

  func cancel() {
    let cancelled: Int32? = state.withLock { state in
      if state.isRecording {
        // If this process is in the foreground of a terminal, the terminal has sent Ctrl-C to the program as well.
        let hasReceived = state.process != nil && tcgetpgrp(STDIN_FILENO) == getpgrp()
        if !hasReceived { state.pass(SIGINT) }
        return nil
      }
      if state.isSameRequest { return nil }
      state.isCancelled = true
      return state.process
    }
    // The agent then reports what it has found so far. A program that has not loaded the agent ends.
    if let cancelled { kill(folder.process ?? cancelled, SIGTERM) }
  }

  /// Passes a signal to a program that is being recorded. The first signal cancels an exploration, which then reports
  /// what it has found.
  ///
  /// - Returns: false for any other new request.
  func receive(_ signal: Int32) -> Bool {
    let (isAnswered, cancels) = state.withLock { state in
      if state.isRecording { state.pass(signal) }
      if state.isRecording || state.isSameRequest { return (true, false) }
      let cancels = state.isExploring && !state.isCancelled
      if cancels { state.endingSignal = signal }
      return (cancels, cancels)
    }
    if cancels {
      cancel()
      state.withLock { $0.lastSignal = LiveRuntime.shared.now }
    }
    return isAnswered
  }

  /// Runs the program. Call it once.
  ///
  /// - Parameter isDebugged: whether a debugger runs the program.
  func answer(isDebugged: Bool = false) async throws -> Answer {
    var variables = environment
    variables[AgentFolder.variable] = folder.path
    if !program.hasAgent {
      let agent = try self.agent ?? folder.link(agent: Self.agent())
      self.agent = agent
      variables["LD_PRELOAD"] = [order.preloaded, agent].compactMap(\.self).joined(separator: " ")
    }
    switch order.work {
    case .explore, .replay:
      // The order of sets and dictionaries must be the same in each run.
      variables["SWIFT_DETERMINISTIC_HASHING"] = "1"
      // A crash is a result here, and the runtime would take seconds to report it.
      if getenv("SWIFT_BACKTRACE") == nil { variables["SWIFT_BACKTRACE"] = "enable=no" }
    case .record, .convert: break
    }
    let output = folder.path + "/output"
    let streams: ProgramProcess.Streams =
      switch order.work {
      case .explore, .convert: .file(output)
      case .replay, .record: .inherited
      }
    var (path, arguments) = (program.path, program.arguments)
    if isDebugged {
      let (debugger, debuggerPath) = try await Debugger.working()
      arguments = debugger.arguments(running: path, arguments, adding: variables)
      (path, variables) = (debuggerPath, [:])
    }
    let process = ProgramProcess(
      path, arguments, adding: variables, streams)
    let mayStart = state.withLock { state in
      state.isStarting = !state.isEnding
      return state.isStarting
    }
    if !mayStart { Session.stayOut() }
    defer { state.withLock { $0.isStarting = false } }
    let end = try await process.run { [state] number in
      state.withLock { state in
        state.process = number
        state.isStarting = false
        if state.isCancelled { kill(number, SIGTERM) }
        if let signal = state.early { state.pass(signal) }
        state.early = nil
      }
    }
    let written = FileManager.default.contents(atPath: output)
    let reports = folder.reports
    let library = reports.ofReplay?.library
    return Answer(
      reports: reports, run: try? SavedRuns.read(folder.runs(of: library)).runs.first, end: end,
      output: String(decoding: (written ?? Data()).suffix(8_000), as: UTF8.self))
  }

  /// Runs the program and records it. Then runs it a second time, to convert the recording; that run ends before
  /// `main`.
  ///
  /// - Parameter limit: the longest time that the program may take; nil for no limit.
  func recorded(limit: Duration?) async throws -> Answer {
    let alarm = limit.map { Alarms.schedule(after: $0) { [state] in Self.stop(state) } }
    let recorded = try await answer()
    alarm?.cancel()
    let end = recorded.end
    let isOverdue = state.withLock { state in
      state.isRecording = false
      state.process = nil
      // A signal to a whole group of processes may have ended the program, and reach this process only now.
      state.lastSignal = LiveRuntime.shared.now
      return state.isOverdue
    }
    guard FileManager.default.fileExists(atPath: folder.recording) else { return recorded }
    folder.release()
    order.work = .convert
    order.endTime = Int64(clamping: DispatchTime.now().uptimeNanoseconds)
    // A program that handles the signal exits, but it has not ended by itself.
    order.ending = isOverdue ? .signalled(SIGTERM) : recorded.ending
    try folder.write(order)
    var converted = try await answer()
    if converted.run == nil, case .signalled = converted.end, !state.withLock({ $0.isCancelled }) {
      // A signal to all processes of the terminal or of `timeout` has ended it.
      folder.release()
      converted = try await answer()
    }
    guard converted.run != nil else {
      if state.withLock({ $0.isCancelled }) {
        throw CommandError(
          "“\(program.path)” was recorded, but reading the recording was cancelled",
          hint: "record it again")
      }
      let last = converted.output.split(whereSeparator: \.isNewline).suffix(5)
      throw CommandError(
        "“\(program.path)” was recorded, but the recording could not be read",
        hint: last.isEmpty
          ? "the disk may be full; TMPDIR names the folder for recordings, now \(folder.path)"
          : last.joined(separator: "\n  "))
    }
    converted.end = end
    converted.isOverdue = isOverdue
    if isOverdue, let limit { converted.run?.record.error = VirtualExecution.stopped(at: limit) }
    return converted
  }

  /// How long the recorded program may take to end by itself at its time limit.
  private static let grace = Duration.milliseconds(700)

  /// Stops the recorded program at its time limit.
  private static func stop(_ state: Locked<State>) {
    state.withLock { state in
      guard state.isRecording else { return }
      state.isOverdue = true
      state.pass(SIGTERM)
    }
    _ = Alarms.schedule(after: grace) {
      state.withLock { if $0.isRecording { $0.pass(SIGKILL) } }
    }
  }

  /// Reads what has been recorded of a program so far, by running the program once more. Call it once.
  ///
  /// - Parameters:
  ///   - recording: the folder of the recorded process.
  ///   - environment: the environment of the recorded program.
  func answer(
    for recording: AgentFolder, in environment: [String: String] = [:]
  ) async throws -> Answer {
    try folder.link(recordingOf: recording)
    self.environment = environment
    if let process = recording.process, kill(process, 0) == 0 {
      order.endTime = Int64(clamping: DispatchTime.now().uptimeNanoseconds)
    }
    try folder.write(order)
    return try await answer()
  }

  /// The path of the library that is loaded into the program.
  private static func agent() throws(CommandError) -> String {
    let path = Bundle.main.bundlePath + "/libPlaygroundAgent.so"
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandError(
        "“libPlaygroundAgent.so”, which is loaded into programs, is not beside the playground",
        hint: "Scripts/build builds both")
    }
    return path
  }
}

extension [AgentReport] {
  /// The report of a replay that is shown: that of the testing library with the violation, or with the most events.
  var ofReplay: AgentReport? {
    first(where: \.isViolated) ?? self.max { $0.eventCount < $1.eventCount }
  }
}

extension AgentReport {
  fileprivate var eventCount: Int { narration?.moments.count ?? 0 }
}
