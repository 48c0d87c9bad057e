import Foundation
import TerminalTesting

/// The built program, run with pipes and files in place of a terminal.
struct PlaygroundProcess {
  typealias Outcome = Child.Outcome

  struct NotJSON: Error { let line: String }

  static var executable: String { builtProgram("playground") }

  private let child: Child

  init(
    _ arguments: [String], input: String?, in folder: String, environment: [String: String]
  ) throws {
    child = try Child(
      [Self.executable] + arguments, input: input, in: folder, environment: environment)
  }

  func interrupt() { signal(SIGINT) }
  func signal(_ number: Int32) { child.signal(number) }

  /// Waits for the end of the program.
  func outcome() async throws -> Outcome {
    // Kills the program after 300 seconds, since it will not end by itself then.
    let guardian = DispatchSource.makeTimerSource()
    guardian.schedule(deadline: .now() + 300)
    guardian.setEventHandler { [child] in child.signal(SIGKILL) }
    guardian.activate()
    defer { guardian.cancel() }
    return try await child.outcome()
  }
}

extension Child.Outcome {
  /// The lines of standard output, each read as a JSON object.
  ///
  /// - Throws: ``PlaygroundProcess/NotJSON`` for the first line that is not a JSON object.
  func records() throws -> [JSONRecord] {
    try output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      guard
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      else { throw PlaygroundProcess.NotJSON(line: String(line)) }
      return JSONRecord(fields: object)
    }
  }

  /// The records of one kind.
  func records(_ kind: String) throws -> [JSONRecord] {
    try records().filter { $0.string("record") == kind }
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
