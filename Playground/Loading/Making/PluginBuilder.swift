import Foundation

/// A shared object that holds a plugin, ready to be probed and loaded.
public struct BuiltPlugin: Sendable, Hashable {
  public var origin: PluginOrigin
  /// The shared object.
  public var object: String
  /// The whole name of its entry point.
  public var entryPoint: String
  /// What the compiler said while it was made; empty where nothing was made.
  public var diagnostics: String
}

/// Makes shared objects of plugins, and finds those made before: what is unchanged is not made twice.
public struct PluginBuilder: Sendable {
  public var host: PluginHost
  let cache: PluginCache

  public init(host: PluginHost) {
    self.host = host
    cache = PluginCache(root: host.cache)
  }

  /// The shared object of a plugin, made if there is none of its present content, compiler and host.
  ///
  /// Cancelling the task kills the compiler with everything it started.
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

  /// Makes the shared object of every module in the build folder that has an entry point, beside the
  /// executable; by name.
  public func buildModules() async -> [(
    origin: PluginOrigin, result: Result<BuiltPlugin, PluginError>
  )] {
    await build(BuiltModules(host).origins())
  }

  /// Makes several at once, as many at a time as there are processors; in the order given.
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

  /// The entry point an object exports: the only one, or the one named after it.
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
          + ": name the file after the one that is meant.")
    }
    throw PluginError(
      .missingSymbol,
      "\(origin) has no entry point: nothing in it is called \(prefix)\(wanted). Add "
        + "@_cdecl(\"\(prefix)\(wanted)\") to a function that yields the handshake, or load its source "
        + "instead; the loader writes the entry point then.")
  }

  /// The flags that pass the host's sanitizers on.
  var sanitizerFlags: [String] { host.sanitizers.map { "-sanitize=" + $0 } }

  /// A cache of system modules of the loader's own: the build's cannot be shared, since the compiler
  /// refuses one that it reached by another path, through a symbolic link say.
  var moduleCacheFlags: [String] { ["-module-cache-path", cache.folder("modules")] }

  func remove(_ scratch: String) {
    try? FileManager.default.removeItem(atPath: scratch)
  }

  /// Puts a finished file in its place in one step, so that nobody sees half of it.
  func move(_ made: String, to place: String) throws(PluginError) {
    guard rename(made, place) == 0 else {
      throw PluginError(
        .unreadable, "“\(place)” cannot be written: \(String(cString: strerror(errno))).")
    }
  }
}
