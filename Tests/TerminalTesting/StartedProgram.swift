import Foundation
import Glibc

/// A child of this process, from its start until it is reaped. A thread of its own waits for its end and reaps it.
final class StartedProgram: Sendable {
  let identifier: pid_t
  private let state = Protected(State())

  private struct State {
    var exitCode: Int32?
    var waiting: [@Sendable (Int32) -> Void] = []
  }

  init(
    _ executable: String, arguments: [String], environment: [String: String], streams: Streams
  ) throws {
    identifier = try spawn(
      executable, arguments: arguments, environment: environment, streams: streams)
    Thread.detachNewThread { self.reap() }
  }

  func signal(_ number: Int32) {
    state.withLock { state in
      // After the process has been reaped, its number may belong to another process.
      if state.exitCode == nil { _ = kill(identifier, number) }
    }
  }

  /// Whether a signal has been sent to the process but not yet delivered to any of its threads.
  func hasPending(_ signal: Int32) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") } ?? ""
    let pending = UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
    return pending >> UInt64(signal - 1) & 1 == 1
  }

  /// Calls `body` when the program has ended, with its exit code or 128 plus the number of the signal that ended it.
  func whenEnded(_ body: @escaping @Sendable (Int32) -> Void) {
    let exitCode = state.withLock { state in
      if state.exitCode == nil { state.waiting.append(body) }
      return state.exitCode
    }
    if let exitCode { body(exitCode) }
  }

  private func reap() {
    // This does not reap the process, so that its number stays in use until the state under the lock says that it has
    // ended.
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    let (exitCode, waiting) = state.withLock { state in
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      let exitCode = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
      state.exitCode = exitCode
      defer { state.waiting = [] }
      return (exitCode, state.waiting)
    }
    for body in waiting { body(exitCode) }
  }
}
