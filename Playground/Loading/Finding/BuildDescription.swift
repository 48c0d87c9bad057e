import Foundation

/// The build's description of how it compiles its modules.
struct BuildDescription {
  /// The file in which the build keeps this description for its own use.
  let path: String

  /// - Parameter folder: the folder that holds the build's products.
  init(folder: String) { path = folder + "/description.json" }

  /// The flags with which a compiler finds the C modules that Swift modules depend on. They name the module maps of
  /// system libraries, which lie in the package's source folders, and the folders of the libraries' headers.
  ///
  /// Code that imports a Swift module needs these flags too, although it does not use the C modules directly.
  ///
  /// - Returns: an empty list if there is no description, or if its format is unknown.
  func clangFlags(of modules: [String]) -> [String] {
    guard !modules.isEmpty, let data = FileManager.default.contents(atPath: path),
      let description = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let commands = description["swiftCommands"] as? [String: [String: Any]]
    else { return [] }
    var arguments: [String: [String]] = [:]
    for command in commands.values {
      guard let module = command["moduleName"] as? String,
        let given = command["otherArguments"] as? [String]
      else { continue }
      arguments[module] = given
    }
    var flags: [String] = []
    for flag in modules.flatMap({ BuildDescription.clangFlags(among: arguments[$0] ?? []) })
    where !flags.contains(flag) {
      flags.append(flag)
    }
    return flags.flatMap { ["-Xcc", $0] }
  }

  /// The flags among a compiler's arguments that name module maps and header folders.
  static func clangFlags(among arguments: [String]) -> [String] {
    arguments.filter { $0.hasPrefix("-fmodule-map-file=") || $0.hasPrefix("-I/") }
  }
}
