import Composing
import PlaygroundLanguage
import PluginLoading

extension Checker {
  /// Loads plugins, so that the statements that follow can use their patterns.
  mutating func load(
    _ words: [WordSyntax], at command: SourceRange, in source: Source
  ) async {
    let library = session.library
    let names = words.map { FilePath.plugin($0.text, besides: source.name) }
    let report = await session.loading(
      plugins: words.isEmpty ? "all plugins" : words.map(\.text).shortList
    ) {
      names.isEmpty ? await library.loadAll() : await library.load(names)
    }
    guard let report else { return reportCancellation(at: command, in: source) }
    for (index, entry) in report.entries.enumerated() {
      let place = words.isEmpty ? command : words[index].range
      switch entry.outcome {
      case .loaded(let plugin):
        refuseShadows(of: plugin, at: place, in: source)
        announce(plugin)
      case .unchanged(let plugin): refuseShadows(of: plugin, at: place, in: source)
      case .failed(let error):
        lacksCode = true
        self.report(error, at: place, in: source)
      }
    }
  }

  /// At the prompt, lists the patterns that were loaded. A script knows what it loads, so nothing is printed there.
  private mutating func announce(_ plugin: LoadedPlugin) {
    guard session.isInteractive else { return }
    let patterns = plugin.patterns.map { $0.manual.name }.joined(separator: ", ")
    actions.append(
      Action {
        let text = "loaded \(plugin.name): \(patterns)"
        $0.console.say($0.style.wrapped(text))
      })
  }

  /// Unloads plugins, so that the statements that follow cannot use their patterns.
  mutating func unload(_ words: [WordSyntax], in source: Source) {
    for word in words {
      do throws(PluginError) {
        let plugin = try session.library.unload(word.text)
        guard session.isInteractive else { continue }
        actions.append(Action { $0.console.say("unloaded \(plugin.name)") })
      } catch {
        report(error, at: word.range, in: source)
      }
    }
  }

  mutating func reload(
    _ words: [WordSyntax], at command: SourceRange, in source: Source
  ) async {
    let library = session.library
    let names = words.isEmpty ? library.plugins.map(\.name) : words.map(\.text)
    for (index, name) in names.enumerated() {
      let place = words.isEmpty ? command : words[index].range
      let result = await session.loading(plugins: name) { await library.result(ofReloading: name) }
      switch result {
      case .success(.loaded(let plugin))?:
        let patterns = plugin.patterns.map { $0.manual.name }.joined(separator: ", ")
        actions.append(Action { $0.console.say("reloaded \(plugin.name): \(patterns)") })
      case .success(.unchanged(let plugin))?:
        actions.append(Action { $0.console.say("\(plugin.name) has not changed") })
      case .success(.failed(let error))?, .failure(let error)?: report(error, at: place, in: source)
      case nil: reportCancellation(at: place, in: source)
      }
    }
  }

  private mutating func reportCancellation(at range: SourceRange, in source: Source) {
    report("loading was cancelled", at: range, in: source)
  }

  private mutating func report(_ error: PluginError, at range: SourceRange, in source: Source) {
    // The output of the compiler states its own source locations.
    if !error.output.isEmpty { session.console.complain(error.output) }
    report(
      error.message, at: range, in: source,
      hint: nil)
  }

  /// Unloads a plugin that has a pattern with the name of a binding: loading must not change what a bound name means.
  private mutating func refuseShadows(
    of plugin: LoadedPlugin, at range: SourceRange, in source: Source
  ) {
    let patterns = plugin.patterns.map { $0.manual.name }
    for pattern in patterns where bindings[pattern] != nil {
      report(
        "“\(plugin.name)” has a pattern “\(pattern)”, but that name is bound here", at: range,
        in: source, hint: "load the plugin first and choose another name")
      _ = try? session.library.unload(plugin.name)
      return
    }
  }
}

extension PluginLibrary {
  fileprivate func result(
    ofReloading name: String
  ) async -> Result<LoadReport.Outcome, PluginError> {
    do throws(PluginError) { return .success(try await reload(name)) } catch {
      return .failure(error)
    }
  }
}
