import AsyncPatterns
import Foundation
import LineEditing
import SwiftTasks
import Synchronization

/// The end of the program. Code of a plugin or a step can end it as well, with `exit`, `_exit` or `quick_exit`. The
/// rest of the script would then not run, and the exit code could be that of a success.
enum ProgramExit {
  /// The exit code if other code ended the program, so that a run could not finish.
  static let foreignCode: Int32 = 4

  /// The exit code that the program has decided on, or one of the two values declared below.
  private static let decision = Atomic<Int>(undecided)
  private static let undecided = -1
  private static let foreign = -2
  private static let isEndingBySignal = Atomic<Bool>(false)
  private static let response = Locked<(@Sendable () -> Void)?>(nil)
  /// The process that is watched; 0 if none is.
  private static let process = Atomic<pid_t>(0)

  /// Records that a signal ends the program. Failures that this causes no longer determine the exit code.
  static func noteSignal() { isEndingBySignal.store(true, ordering: .sequentiallyConsistent) }

  /// Ends the program.
  static func end(_ code: Int32) -> Never {
    while isEndingBySignal.load(ordering: .sequentiallyConsistent) { pause() }
    let (isFirst, _) = decision.compareExchange(
      expected: undecided, desired: Int(code), ordering: .sequentiallyConsistent)
    // Other code is ending the program.
    while !isFirst { pause() }
    LastRows.giveBack()
    exit(code)
  }

  /// Ends the program in the same way as an unhandled signal.
  static func end(by signal: Int32) -> Never {
    decision.store(Int(128 + signal), ordering: .sequentiallyConsistent)
    LastRows.giveBack()
    PromptSignals.endProgram(by: signal)
  }

  /// Calls `respond` when other code ends the program, on the thread of that code. After that, the program ends with
  /// ``foreignCode``.
  static func watch(_ respond: @escaping @Sendable () -> Void) {
    response.withLock { $0 = respond }
    process.store(getpid(), ordering: .sequentiallyConsistent)
    atexit { _ = ProgramExit.code(insteadOf: 0) }
    #if os(Linux)
      _ = exitOfSystem
      at_quick_exit { _ = ProgramExit.code(insteadOf: 0) }
    #endif
  }

  /// The code to exit with when some code exits with `code`. Does not return if other code ends the program.
  private static func code(insteadOf code: Int32) -> Int32 {
    // A child process that a step has forked may exit.
    guard process.load(ordering: .sequentiallyConsistent) == getpid() else { return code }
    let (isFirst, decided) = decision.compareExchange(
      expected: undecided, desired: foreign, ordering: .sequentiallyConsistent)
    if isFirst {
      // The thread may be one of a simulation, in which the response would wait on the virtual clock.
      if let respond = response.withLock({ $0 }) { TaskSimulation.outside(respond) }
      exitNow(foreignCode)
    }
    // Another thread is still responding.
    while decided == foreign { pause() }
    return Int32(decided)
  }

  #if os(Linux)
    /// The `_exit` of the system, which the functions below replace. -1 stands for `RTLD_NEXT`.
    private static let exitOfSystem = unsafeBitCast(
      dlsym(UnsafeMutableRawPointer(bitPattern: -1), "_exit")!,
      to: (@convention(c) @Sendable (Int32) -> Void).self)

    private static func exitNow(_ code: Int32) -> Never {
      exitOfSystem(code)
      fatalError("The system did not end the program")
    }

    /// Replaces `_exit` in this program.
    fileprivate static func exitWithoutHandlers(_ code: Int32) -> Never {
      exitNow(self.code(insteadOf: code))
    }
  #else
    private static func exitNow(_ code: Int32) -> Never { _exit(code) }
  #endif
}

#if os(Linux)
  // Plugins and libraries call these functions instead of the system's: the program exports its symbols, and the
  // dynamic linker searches it first.

  /// Replaces the function of C.
  @_cdecl("_exit")
  public func exitWithoutHandlers(_ code: Int32) -> Never { ProgramExit.exitWithoutHandlers(code) }

  /// Replaces the function of C.
  @_cdecl("_Exit")
  public func exitWithoutHandlersInC(_ code: Int32) -> Never {
    ProgramExit.exitWithoutHandlers(code)
  }
#endif
