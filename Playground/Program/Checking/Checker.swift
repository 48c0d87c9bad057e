import Composing
import PlaygroundLanguage

/// Makes actions out of a script, and finds everything that is wrong with it before the first of them
/// is carried out. What later statements depend on (`load`, `source`, `set`) happens while it checks.
@MainActor
struct Checker {
  let session: Session
  var bindings: Bindings
  var settings: Settings
  var actions: [Action] = []
  var diagnostics: [Diagnostic] = []
  /// Whether a plugin could not be loaded: what comes after cannot be told right from wrong.
  var lacksPlugin = false
  /// The files that are being read, the outermost first.
  var openFiles: [String]
  /// What the next expectation will read, as far as it is known before it has run.
  var lastComposed: Composed?
  /// Whether that is known: what a file holds that the script has yet to write is not.
  var isLastRunKnown = true
  /// The files that the script writes runs to before what is being checked.
  var savedFiles: Set<String> = []
  /// The names that are compared by then; nil if that cannot be known yet.
  var comparedNames: [String]?
  /// Whether something is explored by then.
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
    for statement in script.statements where !lacksPlugin { await check(statement, in: source) }
  }

  private mutating func check(_ statement: Statement, in source: Source) async {
    switch statement.kind {
    case .assignment(let name, let expression): bind(name, to: expression, in: source)
    case .run(let expression, let background): run(expression, background, in: source)
    case .command(let command): await check(command, in: source)
    }
  }

  private mutating func check(_ command: CommandSyntax, in source: Source) async {
    switch command.kind {
    case .load(let words): await load(words, at: command.range, in: source)
    case .unload(let words): unload(words, in: source)
    case .reload(let words): await reload(words, at: command.range, in: source)
    case .set(let setting): set(setting, in: source)
    case .source(let word): await read(word, in: source)
    case .run(let expression, let background): run(expression, background, in: source)
    case .compare(let comparison): compare(comparison, in: source)
    case .compareRuns(let numbers):
      // Which names that will compare is known when its turn comes.
      comparedNames = nil
      actions.append(Action { $0.compare(runs: numbers.map(\.value)) })
    case .expect(let expectation): expect(expectation, in: source)
    case .trace(let subcommand, let name, let words):
      trace(subcommand, name, words, in: source)
    case .help(let topic): help(topic, in: source)
    case .plugins: actions.append(Action { $0.showPlugins() })
    case .patterns: actions.append(Action { $0.showPatterns() })
    case .names: actions.append(Action { $0.showNames() })
    case .runs: actions.append(Action { $0.showRuns() })
    case .show(let number, let shown): show(number?.value, shown, in: source)
    case .jobs: actions.append(Action { $0.showJobs() })
    case .wait(let numbers): actions.append(Action { await $0.wait(for: numbers.map(\.value)) })
    case .cancel(let numbers): actions.append(Action { $0.cancel(jobs: numbers.map(\.value)) })
    case .quit: actions.append(Action { $0.leave() })
    case .explore(let exploration): explore(exploration, in: source)
    case .replay(let word): replay(word, in: source)
    case .simulate(let simulation): await simulate(simulation, in: source)
    }
  }

  mutating func report(
    _ message: String, at range: SourceRange, in source: Source, hint: String? = nil
  ) {
    diagnostics.append(Diagnostic(message, at: range, in: source, hint: hint))
  }
}
