import Composing
import PlaygroundLanguage

extension PromptCompletion {
  /// The steps of the explored composition, if the cursor is where one of its expectations can name a step. Nil
  /// otherwise.
  func explored(_ context: CompletionContext, in text: String) -> [Word]? {
    guard case .stepPath(let parent) = context.kind,
      let checking = text.ranges(of: Keyword.checking.rawValue).last,
      !text[checking.upperBound...].contains("}")
    else { return nil }
    let source = Source(name: "", text: String(text[..<checking.lowerBound]))
    guard case .command(let command)? = Parser.parse(source).script.statements.last?.kind,
      case .explore(let exploration) = command.kind
    else { return nil }
    var composer = Composer(
      vocabulary: session.silentVocabulary, bindings: session.bindings, clock: .virtual,
      source: source)
    guard let composed = composer.compose(exploration.expression) else { return [] }
    return steps(in: composed.paths().map { $0.joined(separator: "/") }, below: parent)
  }
}
