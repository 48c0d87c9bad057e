import PluginLoading

extension Session {
  /// `playground plugin build` and `playground plugin check`.
  func plugin(_ action: String, _ names: [String]) async {
    switch action {
    case "build": await buildPlugins(names)
    case "check": await checkPlugins(names)
    default:
      fail(
        CommandError(
          "there is no “plugin \(action)”", hint: "there are “plugin build” and “plugin check”"))
    }
  }

  /// Builds plugins without loading them. Without names, it builds every plugin that came with the program.
  private func buildPlugins(_ names: [String]) async {
    let builder = PluginBuilder(host: library.path.host)
    var origins: [PluginOrigin] = []
    if names.isEmpty {
      // The plugins that came with the program. Users build their own plugins by name.
      let folder = library.path.host.folder
      origins = library.available().filter { $0.path.hasPrefix(folder) }
    }
    for name in names {
      do throws(PluginError) { origins.append(try library.path.find(name)) } catch { fail(error) }
    }
    let made = await builder.build(origins)
    for (origin, result) in made { report(origin.name, result) }
    // Patterns of these plugins must be known before the plugins are loaded.
    guard names.isEmpty else { return }
    let plugins = made.compactMap { try? $0.result.get() }
    for case let error? in await library.note(plugins) { fail(error) }
  }

  private func report(_ name: String, _ result: Result<BuiltPlugin, PluginError>) {
    switch result {
    case .success(let built): console.say("\(name)  \(built.object)")
    case .failure(let error): fail(error)
    }
  }
}
