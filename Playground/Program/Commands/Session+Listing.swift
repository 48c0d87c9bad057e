import AsyncPatterns
import Composing

extension Session {
  func showPlugins() {
    let loaded = library.plugins
    let waiting = library.available().filter { origin in
      !loaded.contains { $0.origin == origin || $0.name == origin.name }
    }
    var rows = loaded.map { [$0.name, "loaded", $0.summary] }
    rows += waiting.map { [$0.name, "not loaded", $0.description] }
    if rows.isEmpty {
      return console.say("No plugins are loaded, and none are on the plugin path.")
    }
    console.say(
      TextTable(columns: ["plugin", "", ""], rows: rows).text(width: style.textWidth))
  }

  func showPatterns() async {
    let patterns = vocabulary.patterns.values.map { $0.manual }.sorted { $0.name < $1.name }
    let steps = vocabulary.steps.values.map { $0.manual }.sorted { $0.name < $1.name }
    if patterns.isEmpty { console.say("No patterns are loaded; “load” loads all plugins.") }
    let rows =
      patterns.map { [$0.name, $0.summary] } + [["", ""]] + steps.map { [$0.name, $0.summary] }
    await page(
      TextTable(columns: ["pattern or step", ""], rows: rows).text(width: style.textWidth))
  }

  func showNames() {
    let declarations = snippets.declarations
    if bindings.isEmpty, declarations.isEmpty {
      return console.say("No names are bound. NAME = EXPRESSION binds one.")
    }
    var rows = bindings.sorted { $0.key < $1.key }.map { [$0.key, "=", $0.value.text] }
    rows += declarations.map { [$0.names.joined(separator: ", "), "", "swift \($0.title)"] }
    console.say(TextTable(columns: ["name", "", ""], rows: rows).text)
  }

  func show(_ settings: Settings) {
    let rows = Settings.Name.allCases.map { [$0.rawValue, settings.text(of: $0)] }
    console.say(TextTable(columns: ["setting", ""], rows: rows).text)
  }
}
