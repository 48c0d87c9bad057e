import Foundation

/// The environment variables of the program, and the files that they lead to.
enum ProgramEnvironment {
  static let variables = ProcessInfo.processInfo.environment

  /// The script that the prompt runs first, in the user's configuration folder by the XDG base directory specification.
  static var initialScript: String? {
    folder("XDG_CONFIG_HOME", or: ".config").map { $0 + "/async-playground/init.play" }
  }

  private static func folder(_ variable: String, or fallback: String) -> String? {
    if let folder = variables[variable], folder.hasPrefix("/") { return folder }
    guard let home = variables["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/\(fallback)"
  }
}
