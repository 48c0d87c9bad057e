import Foundation
import PluginLoading
import SystemSteps

/// A debugger that runs a program until the program stops by itself.
enum Debugger: String, CaseIterable {
  case lldb, gdb

  /// The first debugger that works here.
  ///
  /// - Throws: `CommandError` if none does.
  static func working() async throws -> (Debugger, path: String) {
    var broken: [String] = []
    for debugger in allCases {
      guard let path = ProgramFile.find(debugger.rawValue) else { continue }
      if await isWorking(path) { return (debugger, path) }
      broken.append("“\(path) --version” fails")
    }
    throw CommandError(
      "no debugger works here: "
        + (broken.isEmpty ? "there is none on the path" : broken.joined(separator: ", ")),
      hint: "install gdb, or see what keeps Swift’s lldb from starting")
  }

  /// Whether a debugger works. Swift's lldb is installed with Swift, but needs a Python library that may be missing.
  private static func isWorking(_ path: String) async -> Bool {
    let process = ProgramProcess(path, ["--version"], adding: [:], .file("/dev/null"))
    return (try? await process.run { _ in }) == .exited(0)
  }

  /// The arguments that start a program under the debugger. Only the program gets the variables.
  func arguments(
    running path: String, _ arguments: [String], adding variables: [String: String]
  ) -> [String] {
    let settings = variables.sorted { $0.key < $1.key }
    switch self {
    case .lldb:
      return settings.flatMap {
        ["-O", "settings append target.env-vars \"\($0.key)=\($0.value)\""]
      } + ["-o", "run", "--", path] + arguments
    case .gdb:
      // Starts without a shell, since the shell would load the agent, too.
      let commands =
        ["set startup-with-shell off", "set debuginfod enabled off"]
        + settings.map { "set environment \($0.key)=\($0.value)" } + ["run"]
      return ["-q"] + commands.flatMap { ["-ex", $0] } + ["--args", path] + arguments
    }
  }
}
