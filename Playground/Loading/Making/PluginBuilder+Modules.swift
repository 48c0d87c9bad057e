import Foundation

extension PluginBuilder {
  /// Links a module of the build. The object is put beside the executable, or in the cache if that folder cannot be
  /// written.
  func buildModule(_ origin: PluginOrigin) async throws(PluginError) -> (String, String) {
    let modules = BuiltModules(host)
    // Beside the executable, the object is as accessible as the executable.
    let folder = Files.make(host.plugins, mode: 0o777) ? host.plugins : cache.folder("objects")
    let place =
      folder == host.plugins ? origin.name : origin.name + "_" + ContentHash.of(host.folder)
    return try await link(
      String(Files.lastComponent(origin.path).dropLast(6)), of: modules, with: [],
      to: "\(folder)/\(place).so", origin: origin)
  }

  /// Links a module with the package modules that it needs and the host lacks. Does nothing if the object at `object`
  /// was made from exactly the same files.
  ///
  /// - Parameter extra: additional objects to link.
  func link(
    _ module: String, of modules: BuiltModules, with extra: [String], to object: String,
    origin: PluginOrigin
  ) async throws(PluginError) -> (String, String) {
    let record = object + ".inputs"
    if ObjectFile.isUsable(object), let text = Files.read(record) {
      let text = String(decoding: text, as: UTF8.self)
      let linked = text.prefix { !$0.isNewline }.split(separator: " ").map(String.init)
      if linked.first == module, text == inputs(linked, of: modules, extra) { return (object, "") }
    }
    let linked = closure(of: module, in: modules)
    // Recorded before the link. A file that changes during the link is therefore linked again next time.
    let inputs = inputs(linked, of: modules, extra)
    let compiler = try SwiftCompiler.find()
    let scratch = Files.folder(of: object) + "/.link-" + UUID().uuidString
    LoaderRemains.makeFolder(scratch)
    defer { LoaderRemains.removeFolder(scratch) }
    let made = scratch + "/" + Files.lastComponent(object)
    let diagnostics = try await compiler.run(
      compiler.path,
      ["-emit-library", "-o", made] + sanitizerFlags + extra
        + linked.flatMap { modules.objects(of: $0) },
      scratch: scratch
    ) { output in
      PluginError(
        .linkFailed,
        "\(origin) could not be linked. Build it again with `swift build`; if that does not help, the "
          + "linker's output names what is missing.", output: output)
    }
    unlink(record)
    try move(made, to: object)
    _ = FileManager.default.createFile(atPath: record, contents: Data(inputs.utf8))
    return (object, diagnostics)
  }

  /// The linked modules, and the state of each of their objects.
  private func inputs(_ linked: [String], of modules: BuiltModules, _ extra: [String]) -> String {
    let objects = extra + linked.flatMap { modules.objects(of: $0) }
    return ([linked.joined(separator: " ")] + objects.map { FileStamp($0)?.text ?? $0 })
      .joined(separator: "\n")
  }

  /// The module and the modules that it needs, each with all of its objects. Only the runtime looks up conformances, so
  /// an object can be necessary although no symbol refers to it.
  func closure(of module: String, in modules: BuiltModules) -> [String] {
    var linked = [module]
    var missing: Set<String> = []
    func add(_ module: String) {
      let symbols = modules.objects(of: module).flatMap { ObjectFile($0)?.symbols() ?? [] }
      missing.formUnion(symbols.lazy.filter { !$0.isDefined }.map(\.name))
      missing.subtract(symbols.lazy.filter(\.isDefined).map(\.name))
      // A symbol is not missing if the program, or a library that it has loaded, provides the symbol.
      missing = missing.filter { dlsym(nil, $0) == nil }
    }
    add(module)
    var candidates = modules.modules().filter { $0 != module }
    while !missing.isEmpty {
      let next = candidates.firstIndex { candidate in
        modules.objects(of: candidate).contains { object in
          ObjectFile(object)?.symbols().contains {
            $0.isDefined && !$0.isWeak && missing.contains($0.name)
          } ?? false
        }
      }
      guard let next else { break }
      let found = candidates.remove(at: next)
      linked.append(found)
      add(found)
    }
    return linked
  }
}

extension ContentHash {
  static func of(_ text: String) -> String {
    var hash = ContentHash()
    hash.combine(text)
    return hash.text
  }
}
