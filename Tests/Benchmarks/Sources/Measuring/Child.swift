import Foundation

/// A program that is run to its end.
public struct Child {
  public var program: String
  public var arguments: [String]
  public var environment: [String: String]

  public init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
  }

  /// Runs it with nothing on standard input, and tells how long it took from being started to being
  /// gone.
  ///
  /// - Throws: `ChildFailure` if it ends otherwise than with success.
  public func run() throws -> Duration { try runToEnd().time }

  /// Runs it with nothing on standard input, and tells what it wrote.
  ///
  /// - Throws: `ChildFailure` if it ends otherwise than with success.
  public func output() throws -> String { try runToEnd().text }

  private func runToEnd() throws -> (time: Duration, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    let clock = ContinuousClock()
    let start = clock.now
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    // Everybody who could write is gone; what is left is to reap it.
    let time = clock.now - start
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ChildFailure(
        command: ([program] + arguments).joined(separator: " "), status: process.terminationStatus,
        text: String(decoding: text, as: UTF8.self))
    }
    return (time, String(decoding: text, as: UTF8.self))
  }
}

/// A child did not succeed.
public struct ChildFailure: Error, CustomStringConvertible {
  var command: String
  var status: Int32
  var text: String

  public var description: String { "\(command): exit status \(status)\n\(text)" }
}
