import PluginLoading

extension Session {
  /// `playground plugin build` and `playground plugin check`.
  func plugin(_ action: String, _ names: [String]) async {
    switch action {
    case "build": await buildPlugins(names)
    case "check": await checkPlugins(names)
    default:
      fail(
        CommandError("there is no “plugin \(action)”", hint: "plugin build and plugin check are"))
    }
  }

  /// Makes the objects of plugins without loading them; without names, of
  /// every one that came with the program.
  private func buildPlugins(_ names: [String]) async {
    let builder = PluginBuilder(host: library.path.host)
    var origins: [PluginOrigin] = []
    if names.isEmpty {
      // What came with the program; the user's own are the user's to build.
      let folder = library.path.host.folder
      origins = library.available().filter { $0.path.hasPrefix(folder) }
    }
    for name in names {
      do throws(PluginError) { origins.append(try library.path.find(name)) } catch { fail(error) }
    }
    let made = await builder.build(origins)
    for (origin, result) in made { report(origin.name, result) }
    // What came with the program is known before it is loaded.
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
