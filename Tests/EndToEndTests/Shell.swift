import Foundation

/// Runs other programs and waits for them, without holding a thread.
enum Shell {
  /// A program ended with something else than 0; what it said.
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
    let files = try TemporaryFolder()
    let output = try files.write("", to: "output")
    let errors = try files.write("", to: "errors")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    try process.run()
    for await _ in ended {}
    let text = try String(contentsOfFile: output, encoding: .utf8)
    guard process.terminationStatus == 0 else {
      let said = try String(contentsOfFile: errors, encoding: .utf8)
      let command = arguments.joined(separator: " ")
      throw Failure(description: "\(command) → \(process.terminationStatus)\n\(text)\n\(said)")
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
