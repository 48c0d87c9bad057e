import AsyncPatterns
import Subprocess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Waits for the end of a child process without reaping it, so its process ID stays in use.
final class ProcessEnd: Polled {
  let descriptor: CInt
  private let continuation: CheckedContinuation<Void, Never>

  private init(_ descriptor: CInt, _ continuation: CheckedContinuation<Void, Never>) {
    self.descriptor = descriptor
    self.continuation = continuation
  }

  var isStopped: Bool { false }
  func receive() -> Bool { false }
  func finish() { continuation.resume() }

  /// Returns when `process`, a child that has not been reaped, has ended. No thread is blocked.
  static func wait(for process: ProcessIdentifier, on pool: any Scheduler) async {
    #if os(Linux)
      if process.processDescriptor >= 0, let poller = try? PipePoller.shared.get() {
        // The descriptor becomes readable when the process has ended.
        return await withCheckedContinuation {
          poller.add(ProcessEnd(process.processDescriptor, $0))
        }
      }
    #endif
    var pause = Duration.microseconds(100)
    while !hasEnded(process.value) {
      await withCheckedContinuation { continuation in
        pool.schedule(after: pause) { continuation.resume() }
      }
      pause = min(pause + pause, .milliseconds(10))
    }
  }

  private static func hasEnded(_ id: pid_t) -> Bool {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) != 0 {
      if errno != EINTR { return true }
    }
    return information.si_signo != 0
  }
}
