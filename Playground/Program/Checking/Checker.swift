import Composing
import PlaygroundLanguage

/// Turns a script into actions, and finds all errors in it before the first action is performed.
///
/// The statements that affect later ones (`load`, `source`, `set`) take effect during the check.
@MainActor
struct Checker {
  let session: Session
  var bindings: Bindings
  var settings: Settings
  var actions: [Action] = []
  var diagnostics: [Diagnostic] = []
  /// Whether a plugin could not be loaded, or a declaration could not be compiled. The rest of the script then cannot
  /// be checked.
  var lacksCode = false
  /// The files that are being read, the outermost one first.
  var openFiles: [String]
  /// The composition of the run that the next expectation will read, if it is known before the run.
  var lastComposed: Composed?
  /// Whether that composition is known. For example, it is not known if it comes from a file that has yet to be written
  /// or read.
  var isLastRunKnown = true
  /// The files that the script has saved runs to before the statement that is being checked.
  var savedFiles: Set<String> = []
  /// The names that the last comparison before this statement compares. Nil if they cannot be known yet.
  var comparedNames: [String]?
  /// Whether the script or the session has explored something before this statement.
  var hasExplored: Bool

  /// - Parameter file: the path of the script, if it comes from a file.
  init(session: Session, file: String? = nil) {
    self.session = session
    openFiles = file.map { [FilePath.canonical($0)] } ?? []
    bindings = session.bindings
    settings = session.settings
    lastComposed = session.lastRun?.plan?.composed
    isLastRunKnown = session.lastRun == nil || lastComposed != nil
    comparedNames = session.lastComparison?.rows.map(\.name) ?? []
    hasExplored = session.lastExploration != nil
  }

  mutating func check(_ script: Script, in source: Source) async {
    var rest = script.statements[...]
    var isCompiled = false
    while let statement = rest.first, !lacksCode {
      let declarations = rest.prefix { $0.declaration != nil }.compactMap(\.declaration)
      if !declarations.isEmpty {
        await declare(declarations, in: source)
        rest = rest.dropFirst(declarations.count)
        isCompiled = false
        continue
      }
      if !isCompiled { await compileSwift(of: rest, in: source) }
      rest.removeFirst()
      await check(statement, in: source)
      isCompiled = !statement.changesSwift
    }
  }

  private mutating func check(_ statement: Statement, in source: Source) async {
    let count = actions.count
    await checkKind(of: statement, in: source)
    guard source.isFile else { return }
    // The actions of a script that the statement reads already have places.
    for index in count..<actions.count where actions[index].place == nil {
      actions[index].place = CommandPlace(range: statement.range, source: source)
    }
  }

  private mutating func checkKind(of statement: Statement, in source: Source) async {
    switch statement.kind {
    case .assignment(let name, let expression): bind(name, to: expression, in: source)
    case .run(let expression, let background): run(expression, background, in: source)
    case .command(let command): await check(command, in: source)
    // Declarations that follow each other are compiled together, before this is called.
    case .declaration: break
    }
  }

  private mutating func check(_ command: CommandSyntax, in source: Source) async {
    let word = command.keyword
    // If the user or a plugin has given the word a meaning, it keeps that meaning.
    if CommandName(rawValue: word.text) != nil, command.range == word.range,
      bindings[word.text] != nil || session.vocabulary.manual(word.text) != nil
    {
      return run(.call(CallSyntax(word)), false, in: source)
    }
    switch command.kind {
    case .load(let words): await load(words, at: command.range, in: source)
    case .unload(let words): unload(words, in: source)
    case .reload(let words): await reload(words, at: command.range, in: source)
    case .set(let setting): set(setting, in: source)
    case .source(let word): await read(word, in: source)
    case .run(let expression, let background): run(expression, background, in: source)
    case .compare(let comparison): compare(comparison, in: source)
    case .compareRuns(let numbers):
      // The names are known only when the comparison is made.
      comparedNames = nil
      actions.append(Action { $0.compare(runs: numbers.map(\.value)) })
    case .expect(let expectation): expect(expectation, in: source)
    case .trace(let subcommand, let name, let words):
      trace(subcommand, name, words, in: source)
    case .help(let topic): help(topic, in: source)
    case .plugins: actions.append(Action { $0.showPlugins() })
    case .patterns: actions.append(Action { await $0.showPatterns() })
    case .names: actions.append(Action { $0.showNames() })
    case .runs: actions.append(Action { $0.showRuns() })
    case .show(let number, let shown): show(number?.value, shown, in: source)
    case .jobs: actions.append(Action { $0.showJobs() })
    case .wait(let numbers): actions.append(Action { await $0.wait(for: numbers.map(\.value)) })
    case .cancel(let numbers): actions.append(Action { $0.cancel(jobs: numbers.map(\.value)) })
    case .quit: actions.append(Action { $0.leave() })
    case .history: actions.append(Action { $0.showHistory() })
    case .lessons: actions.append(Action { await $0.showLessons() })
    case .lesson(let number): await lesson(number, in: source)
    case .save(let word): save(word, at: command.range, in: source)
    case .edit(let word): edit(word, at: command.range, in: source)
    case .shell(let text): actions.append(Action { await $0.runShell(text) })
    case .explore(let exploration): explore(exploration, in: source)
    case .replay(let word): await replay(word, in: source)
    case .simulate(let simulation): await simulate(simulation, in: source)
    }
  }

  mutating func report(
    _ message: String, at range: SourceRange, in source: Source, hint: String? = nil
  ) {
    diagnostics.append(Diagnostic(message, at: range, in: source, hint: hint))
  }
}
