import AsyncPatterns
import Composing
import TimingTrace

/// The topics of `help`, searched for words.
@MainActor
struct HelpSearch {
  private struct Topic {
    let name: String
    let summary: String
    /// Further text that is searched.
    var more = ""
  }

  /// More rows would not fit on a screen.
  private static let mostRows = 15

  private let topics: [Topic]

  init(_ session: Session) {
    let vocabulary = session.vocabulary
    let manuals = vocabulary.names.compactMap { vocabulary.manual($0) }.map { manual in
      Topic(
        name: manual.name, summary: manual.summary,
        more: manual.discussion + manual.parameters.map { " \($0.name) \($0.summary)" }.joined())
    }
    let unloaded = vocabulary.waysToLoad().sorted { $0.key < $1.key }
      .map { Topic(name: $0.key, summary: $0.value) }
    let commands = HelpText.commands.map {
      Topic(name: $0.name, summary: $0.summary, more: $0.discussion)
    }
    let rules = LintRule.all.map { Topic(name: $0.name, summary: $0.explanation) }
    let terms = Glossary.terms.map { Topic(name: $0.name, summary: $0.meaning) }
    topics = manuals + unloaded + commands + rules + terms
  }

  /// The names and summaries of the topics that contain every word of a question. Those with a word in their names come
  /// first.
  func rows(about question: String) -> [[String]] {
    let words = question.lowercased().split(separator: " ").map { Self.stem(String($0)) }
    // A shorter word is a part of too many others.
    guard !words.isEmpty, words.allSatisfy({ $0.count > 2 }) else { return [] }
    let found = topics.filter { topic in
      let text = "\(topic.name) \(topic.summary) \(topic.more)".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    let isNamed = { (topic: Topic) in words.contains { topic.name.lowercased().contains($0) } }
    let ordered = found.filter(isNamed) + found.filter { !isNamed($0) }
    return ordered.prefix(Self.mostRows).map { ["  " + $0.name, $0.summary.firstSentence] }
  }

  /// The word without the ending of a plural.
  private static func stem(_ word: String) -> String {
    if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
    return word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
  }
}
