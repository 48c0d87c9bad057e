import Foundation

extension PluginBuilder {
  /// Links a module of the build beside the executable, or in the cache where that cannot be written.
  func buildModule(_ origin: PluginOrigin) async throws(PluginError) -> (String, String) {
    let modules = BuiltModules(host)
    let folder = Files.make(host.plugins) ? host.plugins : cache.folder("objects")
    let place =
      folder == host.plugins ? origin.name : origin.name + "_" + ContentHash.of(host.folder)
    return try await link(
      String(Files.lastComponent(origin.path).dropLast(6)), of: modules, with: [],
      to: "\(folder)/\(place).so", origin: origin)
  }

  /// Links a module with the package modules it needs and the host lacks, unless the object at
  /// `object` was made of the very same files.
  ///
  /// - Parameter extra: objects that are linked in besides.
  func link(
    _ module: String, of modules: BuiltModules, with extra: [String], to object: String,
    origin: PluginOrigin
  ) async throws(PluginError) -> (String, String) {
    let record = object + ".inputs"
    if Files.isFile(object), let text = Files.read(record) {
      let text = String(decoding: text, as: UTF8.self)
      let linked = text.prefix { !$0.isNewline }.split(separator: " ").map(String.init)
      if linked.first == module, text == inputs(linked, of: modules, extra) { return (object, "") }
    }
    let linked = closure(of: module, in: modules)
    // Taken before the link: what changes meanwhile is linked again next time.
    let inputs = inputs(linked, of: modules, extra)
    let compiler = try SwiftCompiler.find()
    let scratch = Files.folder(of: object) + "/.link-" + UUID().uuidString
    _ = Files.make(scratch)
    defer { remove(scratch) }
    let made = scratch + "/" + Files.lastComponent(object)
    let diagnostics = try await compiler.run(
      compiler.path,
      ["-emit-library", "-o", made] + sanitizerFlags + extra
        + linked.flatMap { modules.objects(of: $0) },
      scratch: scratch
    ) { output in
      PluginError(
        .linkFailed,
        "\(origin) could not be linked. Build it again with `swift build`; if that does not help, what "
          + "the linker says names what is missing.", output: output)
    }
    unlink(record)
    try move(made, to: object)
    _ = FileManager.default.createFile(atPath: record, contents: Data(inputs.utf8))
    return (object, diagnostics)
  }

  /// The modules linked, and the state of each of their objects.
  private func inputs(_ linked: [String], of modules: BuiltModules, _ extra: [String]) -> String {
    let objects = extra + linked.flatMap { modules.objects(of: $0) }
    return ([linked.joined(separator: " ")] + objects.map { FileStamp($0)?.text ?? $0 })
      .joined(separator: "\n")
  }

  /// The module and those it needs, as a whole each: a conformance is found by the runtime alone, so
  /// an object may matter that no symbol asks for.
  func closure(of module: String, in modules: BuiltModules) -> [String] {
    var linked = [module]
    var missing: Set<String> = []
    func add(_ module: String) {
      let symbols = modules.objects(of: module).flatMap { ObjectFile($0)?.symbols() ?? [] }
      missing.formUnion(symbols.lazy.filter { !$0.isDefined }.map(\.name))
      missing.subtract(symbols.lazy.filter(\.isDefined).map(\.name))
      // What the program or a library it has loaded provides is settled.
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
