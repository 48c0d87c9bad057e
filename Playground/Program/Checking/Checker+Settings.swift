import AsyncPatterns
import Composing
import PlaygroundLanguage

extension Checker {
  mutating func set(_ setting: SettingSyntax?, in source: Source) {
    guard let setting else {
      let settings = settings
      actions.append(Action { $0.show(settings) })
      return
    }
    guard let name = Settings.Name(rawValue: setting.name.text) else {
      diagnostics.append(
        Diagnostic(
          "there is no setting “\(setting.name.text)”", at: setting.name.range, in: source,
          unknown: setting.name.text, among: Settings.Name.allCases.map(\.rawValue),
          otherwise: "“set” lists them"))
      return
    }
    guard let value = setting.value else {
      let text = "\(name.rawValue)  \(settings.text(of: name))"
      actions.append(Action { $0.console.say(text) })
      return
    }
    do throws(ArgumentError) {
      try settings.set(name, to: value.asValue)
      let changed = settings
      actions.append(Action { $0.settings = changed })
    } catch {
      report(error.message, at: value.range, in: source)
    }
  }

  mutating func read(_ word: WordSyntax, in source: Source) async {
    let path = FilePath.resolve(word.text, besides: source.name)
    let file = FilePath.canonical(path)
    if openFiles.contains(file) {
      return report("“\(word.text)” would run itself without end", at: word.range, in: source)
    }
    do {
      let inner = try await ScriptFile.read(path)
      let (script, found) = Parser.parse(inner)
      diagnostics += found
      openFiles.append(file)
      if found.isEmpty { await check(script, in: inner) }
      openFiles.removeLast()
    } catch let diagnostic as Diagnostic {
      diagnostics.append(diagnostic)
    } catch {
      report(String(describing: error), at: word.range, in: source)
    }
  }
}
