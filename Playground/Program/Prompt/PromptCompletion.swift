import AsyncPatterns
import Composing
import Foundation
import LineEditing
import PlaygroundLanguage
import TimingTrace

/// The completions for Tab. The language determines which kind of word fits at the cursor, and the session provides the
/// words of that kind.
@MainActor
struct PromptCompletion {
  let session: Session

  func complete(_ text: String) -> [WordCompletion] {
    let context = CompletionContext(textBeforeCursor: text)
    let found =
      (explored(context, in: text) ?? words(for: context)) + context.keywords.map { Word($0) }
    var fitting = found.filter { $0.text.hasPrefix(context.text) }
    if fitting.isEmpty, context.kind == .plugin || context.kind == .loadedPlugin {
      let written = context.text.lowercased()
      fitting = found.filter { $0.text.lowercased().hasPrefix(written) }
    }
    return fitting.map { word in
      WordCompletion(word.text, replacingFrom: context.range.start, suffix: word.suffix)
    }
  }

  struct Word {
    let text: String
    let suffix: String
    init(_ text: String, suffix: String = " ") {
      self.text = text
      self.suffix = suffix
    }
  }

  private func words(for context: CompletionContext) -> [Word] {
    switch context.kind {
    case .statement, .expression: return expressions
    case .body, .list: return lists
    case .definition: return (session.bindings.keys.sorted() + declared).map { Word($0) }
    case .pattern: return session.vocabulary.patterns.keys.sorted().map { Word($0) }
    case .argumentName(let callee, let given):
      return names(session.vocabulary.manual(callee)?.parameters, without: given)
    case .argumentValue(let callee, let argument):
      return values(session.vocabulary.manual(callee)?.parameters, argument)
    case .stepOptionName(let pattern, let given):
      return names(stepOptions(of: pattern), without: given)
    case .stepOptionValue(let pattern, let option): return values(stepOptions(of: pattern), option)
    case .label(let labels): return labels.map { Word($0, suffix: "") }
    case .plugin:
      return session.library.available().map { Word($0.name) } + files(context.text)
    case .loadedPlugin: return session.library.plugins.map { Word($0.name) }
    case .helpTopic(let words): return topics(after: words)
    case .file, .traceWord: return files(context.text)
    case .traceFormat: return ExportFormat.all.map { Word($0.name) }
    case .runNumber: return session.runs.compactMap(\.number).map { Word("\($0)", suffix: "") }
    case .jobNumber: return session.jobs.map { Word("\($0.number)") }
    case .stepPath(let parent):
      return steps(in: (session.lastRun?.record.steps ?? []).map(\.path), below: parent)
    case .comparedName: return (session.lastComparison?.rows ?? []).map { Word($0.name) }
    case .expectedValue(let quantity): return expectedValues(of: quantity)
    case .settingName: return Settings.Name.allCases.map { Word($0.rawValue) }
    case .settingValue(let name): return settingValues(of: name)
    case .nothing: return []
    }
  }

  private var expressions: [Word] {
    let vocabulary = session.vocabulary
    return vocabulary.patterns.keys.sorted().map { Word($0) }
      + vocabulary.steps.keys.sorted().map { Word($0) }
      + session.bindings.keys.sorted().map { Word($0) }
  }

  private var declared: [String] {
    session.snippets.declarations.filter { $0.kind != "import" }.flatMap(\.names).sorted()
  }

  private var lists: [Word] {
    session.bindings.filter { $0.value.isList }.keys.sorted().map { Word($0) }
  }

  /// The topics of `help` that start with some words, without these words.
  private func topics(after words: [String]) -> [Word] {
    let start = words.map { $0 + " " }.joined()
    let topics = session.vocabulary.names + HelpText.topics
    return topics.filter { $0.hasPrefix(start) }.map { Word(String($0.dropFirst(start.count))) }
  }

  private func names(_ parameters: [Parameter]?, without given: [String]) -> [Word] {
    (parameters ?? []).map(\.name).filter { !given.contains($0) }.map { Word($0, suffix: ": ") }
  }

  private func values(_ parameters: [Parameter]?, _ name: String) -> [Word] {
    switch parameters?.first(where: { $0.name == name })?.kind {
    case .word(let words)?, .curveOrWord(let words)?: words.map { Word($0, suffix: "") }
    case .bool?: [Word("true", suffix: ""), Word("false", suffix: "")]
    default: []
    }
  }

  private func stepOptions(of pattern: String?) -> [Parameter] {
    (pattern.flatMap { session.vocabulary.manual($0)?.stepOptions } ?? []) + [Composer.laneOption]
  }

  /// The labels in some paths. If `parent` is not empty, only those somewhere below its last label.
  func steps(in paths: [String], below parent: [String]) -> [Word] {
    var seen: Set<Substring> = []
    return paths.compactMap { path in
      let components = path.split(separator: "/")
      guard let label = components.last,
        parent.last.map({ above in components.dropLast().contains { $0 == above } }) ?? true,
        seen.insert(label).inserted
      else { return nil }
      return Word(String(label))
    }
  }

  private func expectedValues(of quantity: String) -> [Word] {
    switch quantity {
    case "outcome": ["success", "failure", "cancelled", "unfinished"].map { Word($0) }
    case "verdict": ["baseline", "faster", "slower", "same", "inconclusive"].map { Word($0) }
    case "lints":
      ["none"].map { Word($0) } + (session.lastRun?.record.lints ?? []).map { Word($0.rule) }
    default: []
    }
  }

  private func settingValues(of name: String) -> [Word] {
    switch Settings.Name(rawValue: name) {
    case .clock?: ClockKind.allCases.map { Word($0.rawValue) }
    case .color?: [Word("on"), Word("off")]
    case .pictures?: PictureSetting.words.map { Word($0) }
    case .timeLimit?: [Word("none")]
    default: []
    }
  }

  /// The files and folders whose paths start with what is written.
  private func files(_ written: String) -> [Word] {
    let slash = written.lastIndex(of: "/").map { written.index(after: $0) } ?? written.startIndex
    let folder = String(written[..<slash])
    let beginning = written[slash...]
    let listed = FilePath.resolve(folder.isEmpty ? "." : folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: listed)) ?? []
    return names.sorted().filter { name in
      name.hasPrefix(beginning) && (!name.hasPrefix(".") || beginning.hasPrefix("."))
    }.map { name in
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(
        atPath: "\(listed)/\(name)", isDirectory: &isFolder)
      return Word(folder + name, suffix: exists && isFolder.boolValue ? "/" : " ")
    }
  }
}
