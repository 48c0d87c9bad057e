import Foundation

extension PluginBuilder {
  /// Builds a SwiftPM package in a folder of the cache, and links its one library target that has a plugin. Modules
  /// that the host contains are not linked again.
  func buildPackage(_ origin: PluginOrigin) async throws(PluginError) -> (String, String) {
    guard let own = host.ownModules else {
      throw PluginError(
        .notBuilt,
        "A package is linked without the modules of this playground, but the build's list of them is "
          + "not beside “\(host.executable)”. Run the playground from its build folder, or load a "
          + "plugin that is already built (.so).")
    }
    let compiler = try SwiftCompiler.find()
    let configuration = Files.lastComponent(host.folder) == "release" ? "release" : "debug"
    let root = Files.resolved(origin.path)
    let build =
      cache.folder(
        "packages/" + EntryPoint.identifier(origin.name) + "_"
          + ContentHash.of(root + host.sanitizers.joined()).prefix(12))
    let scratch = cache.scratch()
    defer { LoaderRemains.removeFolder(scratch) }
    let place = ["--package-path", origin.path, "--scratch-path", build]

    let description = try await compiler.run(
      compiler.swift, ["package"] + place + ["describe", "--type", "json"], scratch: scratch,
      mergingErrors: false
    ) { output in
      PluginError(
        .compileFailed,
        "The package “\(origin.path)” cannot be read. Correct what SwiftPM reports, and load it again.",
        output: output)
    }
    let target = try PackageTarget.withPlugin(in: description, root: root, package: "\(origin)")
    // Testing is enabled so that the entry point can use a plugin that is not public, in a release build too.
    let diagnostics = try await compiler.run(
      compiler.swift,
      ["build"] + place + ["-c", configuration, "--target", target.name]
        + ["-Xswiftc", "-enable-testing"]
        + host.sanitizers.flatMap { ["--sanitize", $0] }, scratch: scratch
    ) { output in
      PluginError(
        .compileFailed,
        "The package “\(origin.path)” does not build, so none of it was loaded. Correct what the "
          + "compiler reports, and load it again.", output: output)
    }
    let products = Files.resolved(build + "/" + configuration)
    let modules = BuiltModules(folder: products, own: own)
    var extra: [String] = []
    if let plugin = target.plugin {
      extra = [
        try await compileEntryPoint(
          of: plugin, module: target.module, products: products, compiler: compiler,
          scratch: scratch, origin: origin)
      ]
    }
    // Each state of the package gets an object of its own, because the previous object may be loaded.
    var state = ContentHash()
    for object in extra + modules.objects(of: target.module) {
      state.combine(FileStamp(object)?.text ?? object)
    }
    let object =
      "\(cache.folder("objects"))/\(EntryPoint.identifier(origin.name))_\(state.text.prefix(12)).so"
    let (linked, warnings) = try await link(
      target.module, of: modules, with: extra, to: object, origin: origin)
    return (linked, diagnostics.contains("warning:") ? diagnostics + warnings : warnings)
  }

  /// Compiles the object of the entry point, separate from the package's objects. It is compiled once for each state of
  /// the plugin's module.
  private func compileEntryPoint(
    of plugin: String, module: String, products: String, compiler: SwiftCompiler, scratch: String,
    origin: PluginOrigin
  ) async throws(PluginError) -> String {
    let name = EntryPoint.identifier(origin.name)
    let interface = products + "/Modules/" + module + ".swiftmodule"
    let state = ContentHash.of(plugin + (FileStamp(interface)?.text ?? "") + compiler.identity)
    let object = "\(products)/\(module)+EntryPoint_\(state.prefix(12)).o"
    if ObjectFile.isUsable(object) { return object }
    let source = "\(scratch)/\(name)+EntryPoint.swift"
    let text = EntryPoint.source(for: plugin, name: name, importing: module)
    guard FileManager.default.createFile(atPath: source, contents: Data(text.utf8)) else {
      throw .unwritable(source)
    }
    let made = "\(scratch)/EntryPoint.o"
    _ = try await compiler.run(
      compiler.path,
      ["-c", source, "-o", made, "-module-name", module + "_EntryPoint", "-swift-version", "6"]
        + ["-parse-as-library"] + interfaceFlags(products, for: [module]) + moduleCacheFlags
        + sanitizerFlags,
      scratch: scratch
    ) { output in
      PluginError(
        .compileFailed,
        "The entry point of \(plugin) in \(origin) does not compile. Check that the plugin's own file imports "
          + "AsyncPatterns.", output: output)
    }
    try move(made, to: object)
    return object
  }
}

/// A library target of a package, as `swift package describe` describes it.
struct PackageTarget: Hashable {
  var name: String
  var module: String
  /// The type that needs an entry point; nil if the target has its own entry point.
  var plugin: String?

  private struct Description: Decodable {
    var targets: [Target]

    struct Target: Decodable {
      var name: String
      var c99name: String
      var type: String
      var path: String
      var sources: [String]
    }
  }

  /// The only library target whose sources declare a plugin.
  static func withPlugin(in json: String, root: String, package: String) throws(PluginError)
    -> PackageTarget
  {
    guard let description = try? JSONDecoder().decode(Description.self, from: Data(json.utf8))
    else {
      throw PluginError(
        .unreadable,
        "SwiftPM described \(package) in a way that this playground does not understand; build the package "
          + "and load its shared object (.so) instead.")
    }
    let libraries = description.targets.filter { $0.type == "library" }
    let found = libraries.map { target in
      let declarations = PluginDeclarations(
        in: target.sources.compactMap { Files.read("\(root)/\(target.path)/\($0)") })
      return (target: target, declarations: declarations)
    }.filter { !$0.declarations.conformers.isEmpty || !$0.declarations.entryPoints.isEmpty }
    guard let first = found.first else {
      let names = libraries.map(\.name).joined(separator: ", ")
      throw PluginError(
        .noPlugin,
        "\(package) has no library target with a plugin"
          + (names.isEmpty ? "" : " (looked in \(names))")
          + ". Add a type that conforms to Plugin to one of them.")
    }
    guard found.count == 1 else {
      throw PluginError(
        .severalPlugins,
        "\(package) has plugins in several targets, \(found.map(\.target.name).joined(separator: ", "))"
          + ". Keep one, or make a package of each.")
    }
    let plugin = try first.declarations.single(in: "The target \(first.target.name)")
    return PackageTarget(
      name: first.target.name, module: first.target.c99name, plugin: plugin?.name)
  }
}
