import PluginLoading

extension Session {
  /// `playground plugin build`: makes the objects of plugins without loading them.
  func plugin(_ action: String, _ names: [String]) async {
    guard action == "build" else {
      return fail(
        CommandError("“plugin \(action)” is not part of this version", hint: "plugin build is"))
    }
    let builder = PluginBuilder(host: library.path.host)
    if names.isEmpty {
      for (origin, result) in await builder.buildModules() { report(origin.name, result) }
    } else {
      for name in names {
        do throws(PluginError) {
          let built = try await builder.build(try library.path.find(name))
          report(name, .success(built))
        } catch {
          report(name, .failure(error))
        }
      }
    }
  }

  private func report(_ name: String, _ result: Result<BuiltPlugin, PluginError>) {
    switch result {
    case .success(let built): console.say("\(name)  \(built.object)")
    case .failure(let error): fail(error)
    }
  }
}
