import AsyncPatterns
import Composing
import PlaygroundLanguage
import TimingTrace

extension Checker {
  /// Shows help on everything, or on one pattern, step, command, plugin, name, lint rule or term.
  mutating func help(_ topic: WordSyntax?, in source: Source) {
    guard let topic else {
      actions.append(Action { $0.console.say(HelpText.overview(width: $0.style.textWidth)) })
      return
    }
    let name = topic.text
    if let manual = session.vocabulary.manual(name) {
      actions.append(
        Action { $0.console.say(HelpText.text(of: manual, width: $0.style.textWidth)) })
    } else if let command = HelpText.commands.first(where: { $0.name == name }) {
      actions.append(
        Action { $0.console.say(HelpText.text(of: command, width: $0.style.textWidth)) })
    } else if let plugin = session.library.plugins.first(where: { $0.name == name }) {
      let patterns = plugin.patterns.map { "  \($0.manual.name)  \($0.manual.summary)" }
      let text = ([plugin.name + ": " + plugin.summary] + patterns).joined(separator: "\n")
      actions.append(Action { $0.console.say(text) })
    } else if let binding = bindings[name] {
      let text = "\(name) = \(binding.text)"
      actions.append(Action { $0.console.say(text) })
    } else if name == "lints" {
      actions.append(Action { $0.console.say(HelpText.lints(width: $0.style.textWidth)) })
    } else if let rule = LintRule.named(name) {
      actions.append(
        Action { $0.console.say(HelpText.text(of: rule, width: $0.style.textWidth)) })
    } else if name == "glossary" {
      actions.append(Action { $0.console.say(HelpText.glossary(width: $0.style.textWidth)) })
    } else if let term = Glossary.term(name) {
      let lines = [term.line] + also(session.vocabulary.wayTo(name), name)
      let text = lines.joined(separator: "\n")
      actions.append(Action { $0.console.say(Prose.wrap(text, to: $0.style.textWidth)) })
    } else if let fix = session.vocabulary.wayTo(name) {
      report("there is no help on “\(name)” yet", at: topic.range, in: source, hint: fix)
    } else {
      let known =
        session.vocabulary.names + HelpText.commands.map(\.name) + ["lints", "glossary"]
        + LintRule.all.map(\.name) + session.library.plugins.map(\.name) + bindings.keys.sorted()
        + Glossary.terms.map(\.name)
      diagnostics.append(
        Diagnostic(
          "there is no help on “\(name)”", at: topic.range, in: source, unknown: name, among: known,
          otherwise: "“help” alone shows an overview")
      )
    }
  }

  /// The line about a pattern that has the name of a term and is not loaded.
  private func also(_ fix: String?, _ name: String) -> [String] {
    fix.map { ["“\(name)” is also a pattern: \($0)"] } ?? []
  }
}
