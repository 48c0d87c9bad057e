import AsyncPatterns
import Composing
import PlaygroundLanguage

/// Composes a script as the program does: names are bound, runs and comparisons are composed.
struct Composition {
  var composed: [Composed] = []
  var diagnostics: [Diagnostic] = []
  var bindings: Bindings = [:]

  init(
    _ text: String, clock: ClockKind = .virtual, patterns: [any AsyncPattern.Type] = doubles
  ) {
    let source = Source(name: "t.play", text: text)
    let (script, found) = Parser.parse(source)
    diagnostics = found
    let vocabulary = Vocabulary(steps: stepKinds).replacingPatterns(patterns)
    for statement in script.statements {
      var composer = Composer(
        vocabulary: vocabulary, bindings: bindings, clock: clock, source: source)
      switch statement.kind {
      case .assignment(let name, let expression):
        bindings[name.text] =
          composer.check(binding: expression)
          ? Binding(expression, in: source, names: bindings) : .unusable(expression, in: source)
      case .run(let expression, _):
        composed += composer.compose(expression).map { [$0] } ?? []
      case .command(let command):
        guard case .compare(let comparison) = command.kind else { break }
        for call in comparison.patterns {
          composed += composer.compose(comparison.list, under: call).map { [$0] } ?? []
        }
      case .declaration: break
      }
      diagnostics += composer.diagnostics
    }
  }

  /// The last composition, on one line.
  var outline: String? { composed.last.map { outlined($0.step) } }

  /// The findings as `line:column message`, with the fix after `→`.
  var findings: [String] {
    diagnostics.map { found in
      "\(found.location.line):\(found.location.column) \(found.message)"
        + (found.hint.map { " → \($0)" } ?? "")
    }
  }
}

/// `group/label:kind<predecessors|options{steps}`. Empty parts are left out, and so is a kind that equals the label.
func outlined(_ step: Step) -> String {
  var text = (step.group.map { "\($0)/" } ?? "") + step.label
  if step.kind != step.label { text += ":\(step.kind)" }
  if !step.predecessors.isEmpty { text += "<" + step.predecessors.joined(separator: ",") }
  if !step.options.isEmpty {
    let options = step.options.names.map { "\($0)=\(step.options[$0]?.text ?? "")" }
    text += "|" + options.joined(separator: ",")
  }
  if !step.steps.isEmpty { text += "{" + step.steps.map(outlined).joined(separator: " ") + "}" }
  return text
}
