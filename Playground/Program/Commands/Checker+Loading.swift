import Composing
import PlaygroundLanguage
import PluginLoading

extension Checker {
  /// Loads plugins, so that what comes after can use their patterns.
  mutating func load(_ words: [WordSyntax], in source: Source) async {
    if words.isEmpty {
      let session = session
      let failures = await session.loading { await session.library.loadAll() } ?? []
      for failure in failures { report(failure, at: source.end, in: source) }
      return
    }
    for word in words { await load(word, in: source) }
  }

  private mutating func load(_ word: WordSyntax, in source: Source) async {
    let session = session
    let path = word.text
    let result = await session.loading { await session.library.result(ofLoading: path) }
    switch result {
    case .success(let plugin)?: refuseShadows(of: plugin, at: word, in: source)
    case .failure(let error)?: report(error, at: word.range, in: source)
    case nil: report("loading was called off", at: word.range, in: source)
    }
  }

  mutating func unload(_ words: [WordSyntax], in source: Source) {
    for word in words {
      do throws(PluginError) {
        try session.library.unload(word.text)
      } catch {
        report(error, at: word.range, in: source)
      }
    }
  }

  mutating func reload(_ words: [WordSyntax], in source: Source) async {
    let session = session
    let names = words.isEmpty ? session.library.loaded.map(\.name) : words.map(\.text)
    for (index, name) in names.enumerated() {
      let place = words.isEmpty ? source.end : words[index].range
      let result = await session.loading { await session.library.result(ofReloading: name) }
      switch result {
      case .success(let plugin)?:
        let patterns = plugin.patterns.map { $0.manual.name }.joined(separator: ", ")
        actions.append(Action { $0.console.say("reloaded \(plugin.name): \(patterns)") })
      case .failure(let error)?: report(error, at: place, in: source)
      case nil: report("loading was called off", at: place, in: source)
      }
    }
  }

  private mutating func report(_ error: PluginError, at range: SourceRange, in source: Source) {
    // What the compiler printed has places of its own.
    if !error.output.isEmpty { session.console.complain(error.output) }
    report(
      error.message, at: range, in: source,
      hint: error.suggestions.first.map { "did you mean “\($0)”?" })
  }

  /// A name that is bound must not change its meaning.
  private mutating func refuseShadows(
    of plugin: LoadedPlugin, at word: WordSyntax, in source: Source
  ) {
    let patterns = plugin.patterns.map { $0.manual.name }
    for pattern in patterns where bindings[pattern] != nil {
      report(
        "“\(plugin.name)” has a pattern “\(pattern)”, and that name is bound here", at: word.range,
        in: source, hint: "load the plugin first and choose another name")
      try? session.library.unload(plugin.name)
      return
    }
  }
}

extension PluginLibrary {
  fileprivate func result(ofLoading word: String) async -> Result<LoadedPlugin, PluginError> {
    do throws(PluginError) { return .success(try await load(word)) } catch { return .failure(error) }
  }

  fileprivate func result(ofReloading name: String) async -> Result<LoadedPlugin, PluginError> {
    do throws(PluginError) { return .success(try await reload(name)) } catch {
      return .failure(error)
    }
  }
}
