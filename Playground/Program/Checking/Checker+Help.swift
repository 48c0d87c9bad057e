import AsyncPatterns
import Composing
import PlaygroundLanguage
import TimingTrace

extension Checker {
  /// Shows help on everything, or on one pattern, step, command, plugin, name, lint rule or term. If nothing has that
  /// name, lists the topics that mention it.
  mutating func help(_ topic: WordSyntax?, in source: Source) {
    guard let topic else {
      actions.append(Action { await $0.page(HelpText.overview(width: $0.style.textWidth)) })
      return
    }
    let name = topic.text
    if let question = name.asSearch { return search(question, topic, in: source) }
    if let manual = session.vocabulary.manual(name) {
      actions.append(
        Action { await $0.page(HelpText.text(of: manual, width: $0.style.textWidth)) })
    } else if let command = HelpText.commands.first(where: { $0.isNamed(name) }) {
      actions.append(
        Action { await $0.page(HelpText.text(of: command, width: $0.style.textWidth)) })
    } else if let plugin = session.library.plugins.first(where: { $0.name == name }) {
      let patterns = plugin.patterns.map { "  \($0.manual.name)  \($0.manual.summary)" }
      let text = ([plugin.name + ": " + plugin.summary] + patterns).joined(separator: "\n")
      actions.append(
        Action { await $0.page($0.style.wrapped(text)) })
    } else if let binding = bindings[name] {
      let text = "\(name) = \(binding.text)"
      actions.append(Action { $0.console.say(text) })
    } else if name == "lints" {
      actions.append(Action { await $0.page(HelpText.lints(width: $0.style.textWidth)) })
    } else if let rule = LintRule.named(name) {
      actions.append(
        Action { await $0.page(HelpText.text(of: rule, width: $0.style.textWidth)) })
    } else if name == "glossary" {
      actions.append(Action { await $0.page(HelpText.glossary(width: $0.style.textWidth)) })
    } else if name == "commands" {
      actions.append(Action { await $0.page(HelpText.commandList(width: $0.style.textWidth)) })
    } else if name == "keys" {
      actions.append(Action { await $0.page(HelpText.keys(width: $0.style.textWidth)) })
    } else if let term = Glossary.term(name) {
      let lines = [term.line] + also(session.vocabulary.wayTo(name), name)
      let text = lines.joined(separator: "\n")
      actions.append(Action { await $0.page(Prose.wrap(text, to: $0.style.textWidth)) })
    } else if let fix = session.vocabulary.wayTo(name) {
      report("there is no help on “\(name)” yet", at: topic.range, in: source, hint: fix)
    } else {
      search(name, topic, in: source)
    }
  }

  /// Lists the topics that mention every word of a question, or reports that there are none.
  private mutating func search(_ question: String, _ topic: WordSyntax, in source: Source) {
    let rows = HelpSearch(session).rows(about: question)
    guard rows.isEmpty else {
      return actions.append(
        Action { session in
          let table = TextTable(columns: ["", ""], rows: rows).text(width: session.style.textWidth)
          await session.page("“help TOPIC” explains one of these:\n\n\(table)")
        })
    }
    let known =
      session.vocabulary.names + HelpText.topics + session.library.plugins.map(\.name)
      + bindings.keys.sorted()
    diagnostics.append(
      Diagnostic(
        "there is no help on “\(question)”", at: topic.range, in: source, unknown: question,
        among: known, otherwise: "“help” alone shows an overview"))
  }

  /// The line about a pattern that is not loaded and has the same name as a term.
  private func also(_ fix: String?, _ name: String) -> [String] {
    fix.map { ["“\(name)” is also a pattern: \($0)"] } ?? []
  }
}

extension String {
  /// The question of a topic of the form `search QUESTION`. Nil for any other topic.
  fileprivate var asSearch: String? {
    let word = "search "
    return hasPrefix(word) ? String(dropFirst(word.count)) : nil
  }
}
