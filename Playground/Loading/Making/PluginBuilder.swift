import Foundation

/// A shared object that contains a plugin, ready to be probed and loaded.
public struct BuiltPlugin: Sendable, Hashable {
  public var origin: PluginOrigin
  /// The path of the shared object.
  public var object: String
  /// The full name of the entry point.
  public var entryPoint: String
  /// The compiler's output. Empty if nothing was compiled.
  public var diagnostics: String
}

/// Makes the shared objects of plugins, and finds those made before. An unchanged plugin is not made again.
public struct PluginBuilder: Sendable {
  public var host: PluginHost
  let cache: PluginCache

  public init(host: PluginHost) {
    self.host = host
    cache = PluginCache(root: host.cache)
  }

  /// Returns the shared object of a plugin. Makes it if none exists for the current content, compiler and host.
  ///
  /// Cancelling the task kills the compiler and every process that it started.
  public func build(_ origin: PluginOrigin) async throws(PluginError) -> BuiltPlugin {
    let (object, diagnostics) =
      switch origin.kind {
      case .object: (origin.path, "")
      case .file, .folder: try await buildSources(origin)
      case .module: try await buildModule(origin)
      case .package: try await buildPackage(origin)
      }
    let entryPoint = try entryPoint(of: object, origin: origin)
    return BuiltPlugin(
      origin: origin, object: object, entryPoint: entryPoint, diagnostics: diagnostics)
  }

  /// Makes several plugins in parallel, at most one per processor at a time. The results are in the order given.
  public func build(_ origins: [PluginOrigin]) async
    -> [(origin: PluginOrigin, result: Result<BuiltPlugin, PluginError>)]
  {
    await withTaskGroup(of: Made.self) { group in
      var results: [Int: Result<BuiltPlugin, PluginError>] = [:]
      for (index, origin) in origins.enumerated() {
        if index >= ProcessInfo.processInfo.activeProcessorCount, let made = await group.next() {
          results[made.index] = made.result
        }
        group.addTask { Made(index: index, result: await result(of: origin)) }
      }
      for await made in group { results[made.index] = made.result }
      return origins.indices.map { (origins[$0], results[$0] ?? .failure(.cancelled)) }
    }
  }

  private struct Made: Sendable {
    var index: Int
    var result: Result<BuiltPlugin, PluginError>
  }

  private func result(of origin: PluginOrigin) async -> Result<BuiltPlugin, PluginError> {
    do throws(PluginError) {
      return .success(try await build(origin))
    } catch {
      return .failure(error)
    }
  }

  /// The entry point that an object exports: the only one, or the one with the name of the origin.
  private func entryPoint(of path: String, origin: PluginOrigin) throws(PluginError) -> String {
    guard let object = ObjectFile(path) else {
      throw PluginError(
        .unreadable,
        Files.isFile(path)
          ? "“\(path)” is not a shared object of this platform (64-bit ELF); build it again with "
            + "swiftc -emit-library."
          : "“\(path)” cannot be read; check that it exists and who may read it.")
    }
    let names = object.entryPoints()
    let prefix = EntryPoint.prefix
    if names.count == 1 { return prefix + names[0] }
    let wanted = EntryPoint.identifier(origin.name)
    if names.contains(wanted) { return prefix + wanted }
    guard names.isEmpty else {
      throw PluginError(
        .severalPlugins,
        "\(origin) has the entry points of several plugins, \(names.sorted().joined(separator: ", "))"
          + ". Name the file after the plugin to load.")
    }
    throw PluginError(
      .missingSymbol,
      "\(origin) has no entry point called \(prefix)\(wanted). Add "
        + "@_cdecl(\"\(prefix)\(wanted)\") to a function that returns the handshake, or load its source "
        + "instead; then the loader writes the entry point.")
  }

  /// The flags for the sanitizers that the host was built with.
  var sanitizerFlags: [String] { host.sanitizers.map { "-sanitize=" + $0 } }

  /// The loader has its own cache of system modules. It cannot share the build's cache: the compiler rejects a cache
  /// that it reaches by a different path, for example through a symbolic link.
  var moduleCacheFlags: [String] { ["-module-cache-path", cache.folder("modules")] }

  /// Moves a finished file into place, see ``Files/place(_:at:)``.
  func move(_ made: String, to place: String) throws(PluginError) {
    if let code = Files.place(made, at: place) {
      throw PluginError(
        .unreadable, "“\(place)” cannot be written: \(String(cString: strerror(code))).")
    }
  }
}
