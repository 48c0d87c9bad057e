extension PluginBuilder {
  /// The flags that all sources are compiled with.
  private var commonFlags: [String] {
    ["-swift-version", "6", "-Onone", "-wmo", "-parse-as-library"]
      // Line tables let reports show the source lines of tasks.
      + ["-gline-tables-only"] + moduleCacheFlags + sanitizerFlags
  }

  /// Compiles sources to a shared object and an interface, both in `scratch` and named after the module. Other sources
  /// can import the interface with `@testable`, and then use everything in it that is not private.
  ///
  /// - Parameters:
  ///   - flags: additional flags of the compiler.
  ///   - objects: what is linked with the compiled code.
  ///   - failure: makes the error of a failed compilation from what the compiler printed.
  /// - Returns: what the compiler printed.
  func compile(
    _ module: String, of sources: [String], flags: [String], linking objects: [String],
    with compiler: SwiftCompiler, in scratch: String, failure: (String) -> PluginError
  ) async throws(PluginError) -> String {
    // The prefix keeps the compiler from reading a path that begins with a dash as an option.
    let sources = sources.map { $0.hasPrefix("-") ? "./" + $0 : $0 }
    let interface = "\(scratch)/\(module).swiftmodule"
    guard let jobs = try await CompilerJobs.of(compiler, flags: commonFlags, cache: cache) else {
      return try await compiler.run(
        compiler.path,
        ["-emit-library", "-o", "\(scratch)/\(module).so", "-module-name", module] + commonFlags
          + ["-emit-module", "-emit-module-path", interface, "-enable-testing"] + flags + sources
          + objects,
        scratch: scratch, failure: failure)
    }
    for folder in jobs.folders(in: scratch) { _ = Files.make(folder) }
    let commands = jobs.commands(
      for: module, of: sources,
      flags: ["-emit-module-path", interface, "-enable-testing"] + flags,
      linking: objects, in: scratch)
    var output = ""
    for command in commands {
      output += try await compiler.run(
        command[0], Array(command.dropFirst()), scratch: scratch, failure: failure)
    }
    return output
  }

  /// Moves the object and the interface that ``compile(_:of:flags:linking:with:in:failure:)`` has made to the folders
  /// where they are kept.
  ///
  /// - Returns: the path of the object. If it exists, so does the interface.
  func keep(_ module: String, from scratch: String) throws(PluginError) -> String {
    let object = object(of: module)
    try move("\(scratch)/\(module).swiftmodule", to: interface(of: module))
    try move("\(scratch)/\(module).so", to: object)
    cache.prune()
    return object
  }

  /// Where the object of a compiled module is kept.
  func object(of module: String) -> String { cache.folder("objects") + "/\(module).so" }

  /// The folder of the interfaces of compiled modules.
  var interfaces: String { cache.folder("interfaces") }

  private func interface(of module: String) -> String { "\(interfaces)/\(module).swiftmodule" }

  /// Whether a module was compiled before. Keeps it from being removed soon.
  func isKept(_ module: String) -> Bool {
    let files = [object(of: module), interface(of: module)]
    guard ObjectFile.isUsable(files[0]), Files.isOwn(files[1]) else { return false }
    for file in files { Files.markUsed(file) }
    return true
  }
}
