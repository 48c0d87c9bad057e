import AsyncPatterns
import Foundation
import Synchronization
import TimingTrace

/// Names the code of plugins and files that is running when the program crashes. That code runs in this process, so a
/// trap in it ends the program.
///
/// A signal handler may neither lock nor allocate. It asks a thread of its own to write the names, and waits for that.
/// Then the crash continues as if there were no report.
enum CrashReport {
  private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE]

  /// Reports from now on what `log` has in progress at a crash.
  static func watch(_ log: SessionLog) {
    #if os(Linux)
      var asked: [Int32] = [-1, -1]
      var answered: [Int32] = [-1, -1]
      guard pipe(&asked) == 0, pipe(&answered) == 0 else { return }
      for end in asked + answered { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let (question, answer) = (asked[0], answered[1])
      Thread.detachNewThread {
        var byte: UInt8 = 0
        guard read(question, &byte, 1) == 1 else { return }
        if let line = sentence(on: log) { MainLane.say("  " + line) }
        _ = write(answer, &byte, 1)
      }
      questionPipe.store(asked[1], ordering: .sequentiallyConsistent)
      answerPipe.store(answered[0], ordering: .sequentiallyConsistent)
      let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
      previous.initialize(repeating: sigaction(), count: 65)
      previousActions.store(UInt(bitPattern: previous), ordering: .sequentiallyConsistent)
      for number in signals {
        var action = sigaction()
        action.__sigaction_handler = .init(sa_handler: crashed)
        action.sa_flags = SA_ONSTACK
        sigaction(number, &action, previous + Int(number))
      }
    #endif
  }

  private static func sentence(on log: SessionLog) -> String? {
    let running = log.underWay.flatMap { $0.execution.recordSoFar.codeInProgress }
    guard let first = running.first else { return nil }
    return running.count == 1
      ? "The program crashed while \(first) was running."
      : "The program crashed while these were running: \(running.shortList)."
  }
}

#if os(Linux)
  private let questionPipe = Atomic<Int32>(-1)
  private let answerPipe = Atomic<Int32>(-1)
  /// The address of the earlier action of each signal.
  private let previousActions = Atomic<UInt>(0)

  private func crashed(_ number: Int32) {
    let address = previousActions.load(ordering: .sequentiallyConsistent)
    guard let previous = UnsafeMutablePointer<sigaction>(bitPattern: address) else { return }
    // When this function returns, the instruction runs again, and the earlier action handles the crash.
    sigaction(number, previous + Int(number), nil)
    var byte: UInt8 = 1
    guard write(questionPipe.load(ordering: .sequentiallyConsistent), &byte, 1) == 1 else { return }
    let answer = answerPipe.load(ordering: .sequentiallyConsistent)
    var ready = pollfd(fd: answer, events: Int16(POLLIN), revents: 0)
    // The thread that crashed may hold a lock that the report needs.
    _ = poll(&ready, 1, 1000)
  }
#endif
