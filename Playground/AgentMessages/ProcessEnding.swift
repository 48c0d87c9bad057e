package import AsyncSimulation
import Foundation

/// How the process of a program ended.
package enum ProcessEnding: Codable, Sendable, Hashable {
  case exited(Int32)
  case signalled(Int32)

  /// - Parameter status: the status that `waitpid` returned.
  package init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  /// The finding about a program that ended in this way; nil if it exited with 0.
  ///
  /// - Parameter output: the last output of the program.
  package func finding(output: String) -> Finding? {
    switch self {
    case .exited(0): return nil
    case .exited(let code):
      return Finding("exits with 0", "it exited with \(code)" + Self.tail(output))
    case .signalled(let signal):
      let name = Self.name(ofSignal: signal)
      return Finding("does not crash", "\(name) ended it" + Self.tail(output))
    }
  }

  package static func name(ofSignal signal: Int32) -> String {
    signals[signal] ?? "signal \(signal)"
  }

  private static let signals: [Int32: String] = [
    SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
    SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM",
  ]

  /// The lines that give a reason. If there are none, the last lines.
  private static func tail(_ output: String) -> String {
    let lines = output.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    let reasons = [
      "Fatal error: ", "Precondition failed", "Assertion failed", "recorded an issue", ": error: ",
    ]
    // If a program contains Foundation, Foundation's text search may not be ready before `main`.
    let telling = lines.filter { line in
      reasons.contains { line.utf8.firstRange(of: $0.utf8) != nil }
    }
    if !telling.isEmpty { return ": " + telling.prefix(3).joined(separator: "\n") }
    return lines.isEmpty ? "" : "; its last lines:\n" + lines.suffix(10).joined(separator: "\n")
  }
}
