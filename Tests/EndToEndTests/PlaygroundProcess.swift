import Foundation
import TerminalTesting

/// The built program, run with pipes and files for a terminal.
///
/// What it prints goes to files, so that no reader can hold it up.
final class PlaygroundProcess {
  /// How the program ended, and what it said.
  struct Outcome: CustomStringConvertible {
    /// Its exit code, or 128 and the number of the signal that ended it.
    let code: Int32
    let output: String
    let errors: String

    var description: String { "exit code \(code)\n--- output\n\(output)\n--- errors\n\(errors)" }

    /// The lines of standard output, each read as a JSON object.
    ///
    /// - Throws: ``NotJSON`` for the first line that is something else.
    func records() throws -> [JSONRecord] {
      try output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
        guard
          let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        else { throw NotJSON(line: String(line)) }
        return JSONRecord(fields: object)
      }
    }

    /// The records of one kind.
    func records(_ kind: String) throws -> [JSONRecord] {
      try records().filter { $0.string("record") == kind }
    }
  }

  struct NotJSON: Error { let line: String }

  static var executable: String { builtProgram("playground") }

  private let process = Process()
  private let files: TemporaryFolder
  private let ended: AsyncStream<Void>

  init(
    _ arguments: [String], input: String?, in folder: String, environment: [String: String]
  ) throws {
    files = try TemporaryFolder()
    process.executableURL = URL(filePath: Self.executable)
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput =
      if let input {
        try FileHandle(forReadingFrom: URL(filePath: files.write(input, to: "input")))
      } else { FileHandle.nullDevice }
    process.standardOutput = try Self.file(files.write("", to: "output"))
    process.standardError = try Self.file(files.write("", to: "errors"))
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    self.ended = ended
    process.terminationHandler = { _ in end.finish() }
    try process.run()
  }

  var identifier: pid_t { process.processIdentifier }

  func interrupt() { kill(identifier, SIGINT) }

  /// Waits for the end.
  func outcome() async throws -> Outcome {
    let guardian = guardian(of: identifier)
    for await _ in ended {}
    guardian.cancel()
    let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
    return Outcome(
      code: signal + process.terminationStatus, output: try text("output"),
      errors: try text("errors"))
  }

  /// Ends the program when it is clear that it will not end by itself.
  private func guardian(of identifier: pid_t) -> any DispatchSourceTimer {
    let guardian = DispatchSource.makeTimerSource()
    guardian.schedule(deadline: .now() + 300)
    guardian.setEventHandler { kill(identifier, SIGKILL) }
    guardian.activate()
    return guardian
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: files.path + "/" + name)), as: UTF8.self)
  }

  private static func file(_ path: String) throws -> FileHandle {
    try FileHandle(forWritingTo: URL(filePath: path))
  }
}

/// A line that the program printed with `--json`.
struct JSONRecord {
  let fields: [String: Any]

  subscript(_ name: String) -> Any? { fields[name] }
  func string(_ name: String) -> String? { fields[name] as? String }
  func integer(_ name: String) -> Int? { (fields[name] as? NSNumber)?.intValue }
  func isNull(_ name: String) -> Bool { fields[name] is NSNull }
  func strings(_ name: String) -> [String]? { fields[name] as? [String] }
  func bool(_ name: String) -> Bool? { fields[name] as? Bool }

  /// The objects in an array.
  func objects(_ name: String) -> [JSONRecord] {
    (fields[name] as? [[String: Any]] ?? []).map(JSONRecord.init)
  }

  /// The names of the fields.
  var names: Set<String> { Set(fields.keys) }
}
