import Foundation

/// What the build knows of how its modules are compiled.
struct BuildDescription {
  /// The build's own file of it, which it writes for itself.
  let path: String

  /// - Parameter folder: where the build put its products.
  init(folder: String) { path = folder + "/description.json" }

  /// The flags that let a compiler find the modules of C beneath modules of Swift: those of system libraries, whose
  /// maps lie among the sources, and their headers wherever the system has them.
  ///
  /// Who imports a module of Swift needs those beneath it too, though it sees nothing of them.
  ///
  /// - Returns: none where there is no description, or not one as it is known here.
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

  /// The maps of modules and the folders of headers among the arguments of a compiler.
  static func clangFlags(among arguments: [String]) -> [String] {
    arguments.filter { $0.hasPrefix("-fmodule-map-file=") || $0.hasPrefix("-I/") }
  }
}
