import Foundation

extension PluginBuilder {
  /// Compiles a Swift file or a folder of Swift files, with an entry point written for it. Modules of the build that
  /// the sources import and the host lacks are linked in.
  ///
  /// The object and the module are named after the content. An edited plugin is therefore a different module and can be
  /// loaded beside its earlier version. Content that was compiled before is not compiled again.
  func buildSources(_ origin: PluginOrigin) async throws(PluginError) -> (String, String) {
    let files =
      origin.kind == .file ? [origin.path] : Files.all(below: origin.path, ending: "swift")
    var texts: [[UInt8]] = []
    for file in files {
      guard let text = Files.read(file) else {
        throw PluginError(
          .unreadable, "“\(file)” cannot be read; check that it exists and who may read it.")
      }
      texts.append(text)
    }
    let compiler = try SwiftCompiler.find()
    let imported = importedModules(texts)
    let name = EntryPoint.identifier(origin.name)
    let module = name + "_" + key(files, texts, imported, compiler).prefix(12)
    if isKept(module) { return (object(of: module), "") }

    try requireModules()
    let place = "“\(origin.path)”"
    let steps = try MarkedFunctions(in: texts).steps(in: place)
    let declarations = PluginDeclarations(in: texts)
    let plugin = steps.isEmpty || declarations.isAny ? try declarations.single(in: place) : nil
    let scratch = cache.scratch()
    defer { LoaderRemains.removeFolder(scratch) }
    var sources = files
    if plugin != nil || !steps.isEmpty {
      let entryPoint = "\(scratch)/\(name)+EntryPoint.swift"
      let text =
        steps.isEmpty
        ? EntryPoint.source(for: plugin?.name ?? "", name: name)
        : EntryPoint.source(for: steps, beside: plugin?.name, name: name)
      guard FileManager.default.createFile(atPath: entryPoint, contents: Data(text.utf8)) else {
        throw .unwritable(entryPoint)
      }
      sources.append(entryPoint)
    }
    let diagnostics = try await compile(
      module, of: sources, flags: interfaceFlags(host.folder, for: imported),
      linking: objects(of: imported), with: compiler, in: scratch
    ) { output in
      PluginError(
        .compileFailed,
        "\(origin) does not compile, so none of it was loaded. Correct what the compiler reports, "
          + "and load it again.", output: output)
    }
    return (try keep(module, from: scratch), diagnostics)
  }

  /// The flags that let a source import the modules built in `folder`.
  ///
  /// - Parameter modules: the modules that the source imports, apart from the host's.
  func interfaceFlags(_ folder: String, for modules: [String]) -> [String] {
    var flags = ["-I", folder + "/Modules"]
    for name in Files.names(in: folder) where name.hasSuffix(".build") {
      let map = folder + "/" + name + "/module.modulemap"
      if Files.isFile(map) { flags += ["-Xcc", "-fmodule-map-file=" + map] }
    }
    return flags + BuildDescription(folder: folder).clangFlags(of: modules)
  }

  func requireModules() throws(PluginError) {
    guard Files.isFile(host.modules + "/AsyncPatterns.swiftmodule") else {
      throw PluginError(
        .notBuilt,
        "A plugin in source form is compiled against the module AsyncPatterns. The build leaves its "
          + "interface in “\(host.modules)”, but it is not there. Run the playground from its build "
          + "folder, or load a plugin that is already built (.so).")
    }
  }

  private func key(
    _ files: [String], _ texts: [[UInt8]], _ imported: [String], _ compiler: SwiftCompiler
  ) -> String {
    var hash = ContentHash()
    for (file, text) in zip(files, texts) {
      hash.combine(Files.lastComponent(file))
      hash.combine(String(text.count))
      hash.combine(text)
    }
    hash.combine(compiler.identity)
    hash.combine(host.identity)
    for flag in sanitizerFlags { hash.combine(flag) }
    let modules = BuiltModules(host)
    for object in imported.flatMap({ modules.objects(of: $0) }) {
      hash.combine(FileStamp(object)?.text ?? object)
    }
    return hash.text
  }
}
