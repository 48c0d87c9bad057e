import AgentMessages
import AsyncPatterns
import Foundation
import PluginLoading
import Synchronization
import TimingTrace

/// Handles crashes of the code of plugins, of files and of Swift that was typed. That code runs in this process. A trap
/// in it ends only the run, if possible. Otherwise the program ends, and the code that is running is named.
///
/// A signal handler may neither lock nor allocate. It asks a thread of its own, and waits for the answer. If the crash
/// is contained, the crashed thread is blocked forever. Otherwise the crash continues as if there were no report.
struct CrashReport: Sendable {
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

  let log: SessionLog
  let interruption: Interruption
  let library: PluginLibrary
  /// Receives an error record; nil if records are not written.
  let records: LineOutput?

  /// Reports from now on what is in progress at a crash, and contains crashes of code that was loaded or typed. Call it
  /// once in a process.
  func watch() {
    #if os(Linux)
      var asked: [Int32] = [-1, -1]
      var answered: [Int32] = [-1, -1]
      guard pipe(&asked) == 0, pipe(&answered) == 0 else { return }
      for end in asked + answered { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let (question, answer) = (asked[0], answered[1])
      Thread.detachNewThread {
        var signal: UInt8 = 0
        while read(question, &signal, 1) == 1 {
          var isContained: UInt8 = contain(Int32(signal)) ? 1 : 0
          if isContained == 0 { report(Int32(signal)) }
          _ = write(answer, &isContained, 1)
        }
      }
      questionPipe.store(asked[1], ordering: .sequentiallyConsistent)
      answerPipe.store(answered[0], ordering: .sequentiallyConsistent)
      let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
      previous.initialize(repeating: sigaction(), count: 65)
      previousActions.store(UInt(bitPattern: previous), ordering: .sequentiallyConsistent)
      CrashedThread.prepare()
      for number in Self.signals {
        var action = sigaction()
        action.__sigaction_handler = .init(sa_sigaction: crashed)
        action.sa_flags = SA_ONSTACK | SA_SIGINFO
        sigaction(number, &action, previous + Int(number))
      }
    #endif
  }

  /// Ends the run in progress alone, if a trap in code that was loaded or typed has crashed it. The thread of the
  /// crash is blocked from then on.
  ///
  /// - Returns: false if the program must end: the crash was of another kind or in other code, it was on the main
  ///   thread or the last thread of Swift's pool, or another run may be the one that crashed.
  private func contain(_ signal: Int32) -> Bool {
    #if os(Linux)
      // Swift's traps are these. After any other signal, the memory may be damaged.
      guard signal == SIGILL || signal == SIGTRAP, let thread = CrashedThread.last, !thread.isMain,
        let function = PluginFunction.crashed(
          in: thread.addresses, host: library.path.host, objects: library.plugins.map(\.object))
      else { return false }
      let place = function.name.map { " in \($0)" } ?? ""
      let reason = "crashed with \(ProcessEnding.name(ofSignal: signal))\(place)"
      var candidates = receivers
      // A step may crash before the main thread has noted its run.
      for _ in 0..<10 where candidates.isEmpty {
        usleep(20_000)
        candidates = receivers
      }
      guard candidates.count < 2,
        !PluginFunction.isOnDispatch(thread.addresses) || Self.takeThreadOfSwift()
      else {
        return false
      }
      // Without a run in progress, the code is that of a run that was left behind.
      candidates.first?.crashed(reason)
      return true
    #else
      return false
    #endif
  }

  /// How many threads of Swift's own pool are blocked.
  private static let blockedThreads = Atomic<Int>(0)

  /// Counts another one. False if none would be left.
  private static func takeThreadOfSwift() -> Bool {
    let count = blockedThreads.add(1, ordering: .relaxed).newValue
    return count < ProcessInfo.processInfo.activeProcessorCount
  }

  /// The work in progress that may have crashed.
  private var receivers: [any CrashReceiver] {
    let runs: [any CrashReceiver] = log.underWay.map(\.execution)
    guard let other = interruption.foreground as? any CrashReceiver,
      !runs.contains(where: { $0 === other })
    else { return runs }
    return runs + [other]
  }

  private func report(_ signal: Int32) {
    // A step may crash before the main thread has noted its run.
    var running = running
    for _ in 0..<10 where running.isEmpty {
      usleep(20_000)
      running = self.running
    }
    let what = "The program crashed with \(ProcessEnding.name(ofSignal: signal))"
    let sentence =
      switch running.count {
      case 0: what + "."
      case 1: what + " while \(running[0]) was running."
      default: what + " while these were running: \(running.shortList)."
      }
    MainLane.say("  " + sentence)
    guard let records else { return }
    let record = ErrorRecord(message: sentence, file: nil, line: nil, column: nil).json
    _ = records.writeLast(record + "\n", within: .seconds(1))
  }

  /// The code in progress, each with its plugin.
  private var running: [String] {
    var executions = log.underWay.map(\.execution)
    let foreground = interruption.foreground
    // A run that is not a run of the session, such as one of a simulation.
    if let other = foreground as? any Execution, !executions.contains(where: { $0 === other }) {
      executions.append(other)
    }
    let code = executions.flatMap { $0.recordSoFar.codeInProgress }.map { code in
      code.description(in: library.plugin(ofPattern: code.pattern)?.name)
    }
    let exploration = (foreground as? ExplorationExecution)?.plan.composed.name
    return code + (exploration.map { ["the exploration of “\($0)”"] } ?? [])
  }
}

#if os(Linux)
  private let questionPipe = Atomic<Int32>(-1)
  private let answerPipe = Atomic<Int32>(-1)
  /// The address of the earlier action of each signal.
  private let previousActions = Atomic<UInt>(0)

  private func crashed(
    _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    CrashedThread.note()
    var byte = UInt8(truncatingIfNeeded: number)
    if write(questionPipe.load(ordering: .sequentiallyConsistent), &byte, 1) == 1 {
      let answer = answerPipe.load(ordering: .sequentiallyConsistent)
      var ready = pollfd(fd: answer, events: Int16(POLLIN), revents: 0)
      // The thread that crashed may hold a lock that the answer needs.
      if poll(&ready, 1, 3000) == 1, read(answer, &byte, 1) == 1, byte == 1 {
        CrashedThread.block()
      }
    }
    let address = previousActions.load(ordering: .sequentiallyConsistent)
    guard let previous = UnsafeMutablePointer<sigaction>(bitPattern: address) else { return }
    // When this function returns, the instruction runs again, and the earlier action handles the crash.
    sigaction(number, previous + Int(number), nil)
    // A signal that a function such as `abort` has sent would not come again. It waits until this function returns.
    if let info, info.pointee.si_code <= 0 { raise(number) }
  }
#endif
