import Foundation

/// The user's folders, by the XDG base directory specification.
enum UserFolders {
  static let environment = ProcessInfo.processInfo.environment

  /// The script that the prompt runs first.
  static var initialScript: String? {
    folder("XDG_CONFIG_HOME", or: ".config").map { $0 + "/async-playground/init.play" }
  }

  private static func folder(_ variable: String, or fallback: String) -> String? {
    if let folder = environment[variable], folder.hasPrefix("/") { return folder }
    guard let home = environment["HOME"], !home.isEmpty else { return nil }
    return "\(home)/\(fallback)"
  }
}
