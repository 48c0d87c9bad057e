import Foundation

/// The Swift compiler that compiles plugins: `$SWIFTC`, or `swiftc` on the `PATH`.
struct SwiftCompiler: Sendable {
  /// The path at which the compiler was found.
  var path: String

  static func find(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(PluginError) -> SwiftCompiler {
    if let wanted = environment["SWIFTC"], !wanted.isEmpty, wanted.contains("/") {
      guard isExecutable(wanted) else { throw .compilerMissing(wanted: wanted) }
      return SwiftCompiler(path: wanted)
    }
    let wanted = environment["SWIFTC"].flatMap { $0.isEmpty ? nil : $0 }
    for folder in (environment["PATH"] ?? "").split(separator: ":") {
      let path = "\(folder)/\(wanted ?? "swiftc")"
      if isExecutable(path) { return SwiftCompiler(path: path) }
    }
    throw .compilerMissing(wanted: wanted)
  }

  private static func isExecutable(_ path: String) -> Bool {
    Files.isFile(path) && access(path, X_OK) == 0
  }

  /// The package manager of the same toolchain.
  var swift: String { Files.folder(of: path) + "/swift" }

  /// Identifies the compiler without starting it: the state of its frontend's file.
  var identity: String {
    let resolved = Files.resolved(path)
    let frontend = Files.folder(of: resolved) + "/swift-frontend"
    return (FileStamp(frontend) ?? FileStamp(resolved))?.text ?? path
  }

  /// Runs a tool of the toolchain and returns what it prints.
  ///
  /// - Parameters:
  ///   - scratch: the folder for the tool's temporary files.
  ///   - failure: makes the error for a failed run from what the tool printed.
  func run(
    _ tool: String, _ arguments: [String], scratch: String, mergingErrors: Bool = true,
    failure: (String) -> PluginError
  ) async throws(PluginError) -> String {
    var environment = ProcessInfo.processInfo.environment
    environment["TMPDIR"] = scratch
    let outcome: ChildProcess.Outcome
    do {
      outcome = try await ChildProcess.run(
        tool, arguments, environment: environment, mergingErrors: mergingErrors)
    } catch let error as ChildProcess.SpawnError {
      throw PluginError(.compilerMissing, "\(tool) could not be started: \(error.text).")
    } catch {
      throw .cancelled
    }
    let output = String(decoding: outcome.output, as: UTF8.self)
    guard outcome.end == .exited(0) else {
      throw failure(output + String(decoding: outcome.errors, as: UTF8.self))
    }
    return output
  }
}
