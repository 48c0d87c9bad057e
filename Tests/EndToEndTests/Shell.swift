import Foundation

/// Runs other programs and waits for them.
enum Shell {
  /// A program ended with something else than 0; what it said.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a program that is found on the path, and returns what it wrote to standard output.
  @discardableResult
  static func run(_ arguments: String..., in folder: String) throws -> String {
    try run(arguments, in: folder)
  }

  @discardableResult
  static func run(_ arguments: [String], in folder: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    let errors = URL(filePath: NSTemporaryDirectory() + "errors-\(UUID().uuidString)")
    try Data().write(to: errors)
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
      throw Failure(
        description:
          "\(arguments.joined(separator: " ")) → \(process.terminationStatus)\n\(text)\n\(said)")
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
