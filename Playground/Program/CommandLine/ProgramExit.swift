import AsyncPatterns
import Foundation
import Synchronization

/// The end of the program by `exit`. Code of a plugin or a step can call `exit` as well. The rest of the script would
/// then not run, and the exit code could be that of a success.
enum ProgramExit {
  /// The exit code if other code called `exit`.
  static let foreignCode: Int32 = 5

  private static let isOwn = Atomic<Bool>(false)
  private static let response = Locked<(@Sendable () -> Void)?>(nil)
  private static let process = getpid()

  /// Ends the program.
  static func end(_ code: Int32) -> Never {
    isOwn.store(true, ordering: .sequentiallyConsistent)
    exit(code)
  }

  /// Calls `respond` when other code has called `exit`, on the thread that did. After that, the program ends with
  /// ``foreignCode``.
  static func watch(_ respond: @escaping @Sendable () -> Void) {
    response.withLock { $0 = respond }
    _ = process
    atexit { ProgramExit.ended() }
  }

  private static func ended() {
    // A child process that a step has forked may exit.
    guard !isOwn.load(ordering: .sequentiallyConsistent), getpid() == process else { return }
    if let respond = response.withLock({ $0 }) { respond() }
    _exit(foreignCode)
  }
}
