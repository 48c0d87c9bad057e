import Foundation
import TerminalTesting

/// Runs other programs and waits for them, without blocking a thread.
enum Shell {
  /// A program ended with an exit code other than 0; contains its output.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a program that is found on the path, and returns what it wrote to standard output.
  @discardableResult
  static func run(_ arguments: String..., in folder: String) async throws -> String {
    try await run(arguments, in: folder)
  }

  @discardableResult
  static func run(_ arguments: [String], in folder: String) async throws -> String {
    let outcome = try await Child(arguments, in: folder).outcome()
    guard outcome.code == 0 else {
      throw Failure(description: "\(arguments.joined(separator: " ")): \(outcome)")
    }
    return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
