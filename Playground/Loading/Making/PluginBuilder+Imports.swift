extension PluginBuilder {
  /// The modules of the build that source texts import and this program does not hold: a plugin brings those
  /// along, as one made of a package does.
  func importedModules(_ texts: [[UInt8]]) -> [String] {
    var names: Set<String> = []
    for text in texts {
      let tokens = SwiftTokens.of(text)
      for index in tokens.indices.dropLast() where tokens[index] == .word("import") {
        if case .word(let name) = tokens[index + 1] { names.insert(name) }
      }
    }
    // Most plugins need nothing but the shared protocol.
    names.subtract(["AsyncPatterns", "AsyncRuntime"])
    return names.isEmpty ? [] : BuiltModules(host).modules().filter(names.contains)
  }

  /// The objects of modules, and of those that they need and this program does not hold.
  func objects(of modules: [String]) -> [String] {
    let built = BuiltModules(host)
    var linked: [String] = []
    for module in modules {
      linked += closure(of: module, in: built).filter { !linked.contains($0) }
    }
    return linked.flatMap { built.objects(of: $0) }
  }
}
