import AsyncPatterns
import Subprocess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The result of a shell command: the way in which it ended, and its output.
struct ShellOutput: Sendable {
  /// The maximum size of standard output, in bytes.
  static let limit = 64 << 20
  /// The maximum length of standard error in a report, in characters.
  static let errorLimit = 2_000

  var end: TerminationStatus
  var output: Data
  /// The last part of standard error.
  var errors: Data

  var errorText: String {
    let text = String(decoding: errors, as: UTF8.self)
    guard let last = text.lastIndex(where: { !$0.isWhitespace }),
      let first = text.firstIndex(where: { !$0.isWhitespace })
    else { return "" }
    let trimmed = text[first...last]
    return trimmed.count > Self.errorLimit ? "…" + trimmed.suffix(Self.errorLimit) : String(trimmed)
  }

  /// Standard output as a value. Throws a failure if the command did not exit with status 0.
  var value: Value {
    get throws {
      switch end {
      case .exited(0): return text.map { .string($0) } ?? .data(output)
      case .exited(let status): throw StepFailure("exit status \(status)" + reason)
      case .signaled(let signal):
        throw StepFailure(
          "killed by signal \(signal) (\(String(cString: strsignal(signal))))" + reason)
      }
    }
  }

  private var reason: String { errorText.isEmpty ? "" : ": \(errorText)" }

  /// Standard output without its trailing newline; nil if it is not UTF-8.
  private var text: String? {
    String(
      validating: output.last == UInt8(ascii: "\n") ? output.dropLast() : output, as: UTF8.self)
  }
}
