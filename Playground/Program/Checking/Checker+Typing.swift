import PlaygroundLanguage
import SwiftScanning

extension Checker {
  /// `save FILE`: writes what was typed.
  mutating func save(_ word: WordSyntax?, at range: SourceRange, in source: Source) {
    guard let file = word?.text else {
      return report("a file is missing", at: range, in: source, hint: "for instance: save a.play")
    }
    guard session.isInteractive else {
      return report(
        "“save” writes what was typed at the prompt, and this is a script", at: range, in: source)
    }
    actions.append(Action { $0.saveTyped(to: file) })
  }

  /// `edit` or `edit NAME`: edits the last block, or a definition.
  mutating func edit(_ word: WordSyntax?, at range: SourceRange, in source: Source) {
    guard session.enter != nil else {
      return report(
        "“edit” needs the prompt", at: range, in: source, hint: "start the playground in a terminal"
      )
    }
    let text: String
    if let word {
      guard let definition = definition(of: word.text) else {
        let known =
          bindings.keys.sorted() + session.snippets.declarations.flatMap(\.names)
        return diagnostics.append(
          Diagnostic(
            "nothing is defined as “\(word.text)”", at: word.range, in: source,
            unknown: word.text, among: known, otherwise: "“names” lists what is defined"))
      }
      text = definition
    } else if let last = session.lastTyped {
      text = last
    } else {
      return report("nothing has been typed yet", at: range, in: source)
    }
    actions.append(Action { await $0.edit(text) })
  }

  /// The statement that defines a name.
  private func definition(of name: String) -> String? {
    if let binding = bindings[name] {
      return "\(name) = \(binding.source.text(binding.expression.range))"
    }
    let declaration = session.snippets.declarations.last { $0.names.contains(name) }
    return declaration.map { "\(Parser.swift) \($0.piece.code)" }
  }
}
