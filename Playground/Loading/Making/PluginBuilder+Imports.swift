import SwiftScanning

extension PluginBuilder {
  /// The modules of the build that source texts import and that this program does not contain. They are linked into the
  /// plugin, as for a plugin made from a package.
  func importedModules(_ texts: [[UInt8]]) -> [String] {
    var names: Set<String> = []
    for text in texts {
      let tokens = SwiftTokens.of(text)
      for index in tokens.indices.dropLast() where tokens[index] == .word("import") {
        if case .word(let name) = tokens[index + 1] { names.insert(name) }
      }
    }
    // Most plugins need only these shared modules.
    names.subtract(["AsyncPatterns", "AsyncRuntime"])
    return names.isEmpty ? [] : BuiltModules(host).modules().filter(names.contains)
  }

  /// The objects of modules, and of the modules that they need and that this program does not contain.
  func objects(of modules: [String]) -> [String] {
    let built = BuiltModules(host)
    var linked: [String] = []
    for module in modules {
      linked += closure(of: module, in: built).filter { !linked.contains($0) }
    }
    return linked.flatMap { built.objects(of: $0) }
  }
}
