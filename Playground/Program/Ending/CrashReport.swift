import AgentMessages
import AsyncPatterns
import Foundation
import PluginLoading
import Synchronization
import TimingTrace

/// Handles crashes of code from plugins and files, and of Swift that was typed. That code runs in this process. A trap
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

  /// Waits until the handling of a crash has finished, for at most a second. Code of a run that has ended may crash just
  /// before the program ends.
  static func awaitHandling() {
    #if os(Linux)
      for _ in 0..<100 where handledThread.load(ordering: .sequentiallyConsistent) != 0 {
        usleep(10_000)
      }
    #endif
  }

  /// Ends only the run in progress if it crashed with a trap in loaded or typed code. The crashed thread is blocked
  /// from then on. Without such a run, the code is that of an earlier run, and the exit code reports its crash.
  ///
  /// - Returns: false if the program must end. Either the crash was of another kind or in other code, or it was on the
  ///   main thread or the last thread of Swift's pool. Or several runs may be the one that crashed.
  private func contain(_ signal: Int32) -> Bool {
    #if os(Linux)
      // Swift's traps are these. After any other signal, the memory may be damaged.
      guard signal == SIGILL || signal == SIGTRAP, let thread = CrashedThread.last, !thread.isMain
      else { return false }
      let files = LoadedFiles()
      guard let function = PluginFunction.crashed(in: thread.addresses, of: files) else {
        return false
      }
      let place = function.name.map { " in \($0)" } ?? ""
      let reason = "crashed with \(ProcessEnding.name(ofSignal: signal))\(place)"
      let candidates = Self.awaitSome { receivers(ofCodeIn: function.object) }
      guard candidates.count < 2,
        !files.isOnDispatch(thread.addresses) || Self.takeThreadOfSwift()
      else {
        return false
      }
      if let candidate = candidates.first {
        candidate.crashed(reason)
      } else {
        log.noteEarlierCrash()
        MainLane.say("  Code of an earlier run \(reason). Its thread is blocked from now on.")
      }
      return true
    #else
      return false
    #endif
  }

  /// How many threads of Swift's own pool are blocked.
  private static let blockedThreads = Atomic<Int>(0)

  /// Counts another blocked thread. False if no other thread of the pool would be left.
  private static func takeThreadOfSwift() -> Bool {
    let count = blockedThreads.add(1, ordering: .relaxed).newValue
    return count < ProcessInfo.processInfo.activeProcessorCount
  }

  /// The work in progress that may have crashed, because it runs, in this process, code that was loaded or typed, or
  /// the code of `object`.
  ///
  /// - Parameter object: the path of the object that contains the code.
  private func receivers(ofCodeIn object: String) -> [any CrashReceiver] {
    var receivers: [any CrashReceiver] = log.underWay.map(\.execution)
    if let other = interruption.foreground as? any CrashReceiver,
      !receivers.contains(where: { $0 === other })
    {
      receivers.append(other)
    }
    return receivers.filter { receiver in
      !receiver.hasEnded
        && receiver.stepInThisProcess.map { library.hasLoadedCode($0, orCodeIn: object) } ?? false
    }
  }

  /// Reads a list until it has an element, for at most 200ms. A step may crash before the main thread has noted its
  /// run.
  private static func awaitSome<Element>(_ list: () -> [Element]) -> [Element] {
    for _ in 0..<10 {
      let found = list()
      if !found.isEmpty { return found }
      usleep(20_000)
    }
    return list()
  }

  private func report(_ signal: Int32) {
    let running = Self.awaitSome { self.running }
    let what = "The program crashed with \(ProcessEnding.name(ofSignal: signal))"
    let sentence =
      switch running.count {
      case 0: what + "."
      case 1: what + " while \(running[0]) was running. " + Self.isolation
      default: what + " while these were running: \(running.shortList). " + Self.isolation
      }
    MainLane.say("  " + sentence)
    guard let records else { return }
    let record = ErrorRecord(message: sentence, file: nil, line: nil, column: nil).json
    _ = records.writeLast(record + "\n", within: .seconds(1))
  }

  private static let isolation = "With --isolate, another process runs such code."

  /// The pieces of code in progress, each with its plugin.
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
  /// The thread whose crash is being handled. Zero if there is none.
  private let handledThread = Atomic<UInt>(0)
  private let questionPipe = Atomic<Int32>(-1)
  private let answerPipe = Atomic<Int32>(-1)
  /// The address of the earlier actions, one for each signal.
  private let previousActions = Atomic<UInt>(0)

  private func crashed(
    _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    // A crash in this function must not wait for itself.
    if handledThread.load(ordering: .sequentiallyConsistent) != UInt(pthread_self()) {
      if isContained(number, context) { CrashedThread.block() }
    }
    let address = previousActions.load(ordering: .sequentiallyConsistent)
    guard let previous = UnsafeMutablePointer<sigaction>(bitPattern: address) else { return }
    // When this function returns, the instruction runs again, and the earlier action handles the crash.
    sigaction(number, previous + Int(number), nil)
    // A signal that a function such as `abort` has sent would not come again, so it is raised here. It stays pending
    // until this function returns.
    if let info, info.pointee.si_code <= 0 { raise(number) }
  }

  /// Asks whether the program can do without the calling thread. Threads that crash at the same time ask one after
  /// another, since they share the pipes and ``CrashedThread/last``.
  private func isContained(_ number: Int32, _ context: UnsafeMutableRawPointer?) -> Bool {
    let thread = UInt(pthread_self())
    while !handledThread.compareExchange(
      expected: 0, desired: thread, ordering: .sequentiallyConsistent
    ).exchanged {
      usleep(1000)
    }
    defer { handledThread.store(0, ordering: .sequentiallyConsistent) }
    // After any other signal, the stack may be damaged, and the answer does not need it.
    if number == SIGILL || number == SIGTRAP { CrashedThread.note(context) }
    var byte = UInt8(truncatingIfNeeded: number)
    guard write(questionPipe.load(ordering: .sequentiallyConsistent), &byte, 1) == 1 else {
      return false
    }
    let answer = answerPipe.load(ordering: .sequentiallyConsistent)
    var ready = pollfd(fd: answer, events: Int16(POLLIN), revents: 0)
    // The thread that crashed may hold a lock that the answer needs.
    return poll(&ready, 1, 3000) == 1 && read(answer, &byte, 1) == 1 && byte == 1
  }
#endif
