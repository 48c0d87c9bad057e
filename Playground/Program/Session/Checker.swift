import AsyncPatterns
import Composing
import Foundation
import PlaygroundLanguage
import TimingTrace

/// Makes actions out of a script, and finds everything that is wrong with it before the first of them
/// is carried out. What later statements depend on (`load`, `source`, `set`) happens while it checks.
@MainActor
struct Checker {
  let session: Session
  var bindings: Bindings
  var settings: Settings
  var actions: [Action] = []
  var diagnostics: [Diagnostic] = []
  /// The files that are being read, the outermost first.
  private var openFiles: [String]
  /// What the next expectation will read, as far as it is known before it has run.
  private var lastComposed: Composed?
  /// The names that are compared by then; nil if that cannot be known yet.
  private var comparedNames: [String]?

  /// - Parameter file: the path of the script, if it comes from a file.
  init(session: Session, file: String? = nil) {
    self.session = session
    openFiles = file.map { [FilePath.canonical($0)] } ?? []
    bindings = session.bindings
    settings = session.settings
    lastComposed = session.lastRun?.plan.composed
    comparedNames = session.lastComparison?.rows.map(\.name) ?? []
  }

  mutating func check(_ script: Script, in source: Source) async {
    for statement in script.statements { await check(statement, in: source) }
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
    case .show(let number): actions.append(Action { $0.show(number?.value) })
    case .jobs: actions.append(Action { $0.showJobs() })
    case .wait(let numbers): actions.append(Action { await $0.wait(for: numbers.map(\.value)) })
    case .cancel(let numbers): actions.append(Action { $0.cancel(jobs: numbers.map(\.value)) })
    case .quit: actions.append(Action { $0.leave() })
    case .explore, .replay, .simulate:
      report(
        "“\(command.keyword.text)” is not part of this version", at: command.keyword.range,
        in: source,
        hint: "the virtual clock is: set clock virtual")
    }
  }

  mutating func report(
    _ message: String, at range: SourceRange, in source: Source, hint: String? = nil
  ) {
    diagnostics.append(Diagnostic(message, at: range, in: source, hint: hint))
  }

  // MARK: - Names and runs

  private func composer(in source: Source) -> Composer {
    Composer(
      vocabulary: session.vocabulary, bindings: bindings, clock: settings.clock, source: source)
  }

  private mutating func bind(
    _ name: NameSyntax, to expression: ExpressionSyntax, in source: Source
  ) {
    if session.vocabulary.manual(name.text) != nil {
      return report(
        "“\(name.text)” is a pattern or a step already", at: name.range, in: source,
        hint: "choose another name")
    }
    var composer = composer(in: source)
    let isUsable = composer.check(binding: expression)
    diagnostics += composer.diagnostics
    if isUsable {
      bindings[name.text] = Binding(expression, in: source, names: bindings)
    } else if bindings[name.text] == nil {
      // So that what uses the name is not reported as well.
      bindings[name.text] = .unusable(expression, in: source)
    }
  }

  private mutating func run(
    _ expression: ExpressionSyntax, _ background: Bool, in source: Source
  ) {
    var composer = composer(in: source)
    let composed = composer.compose(expression)
    diagnostics += composer.diagnostics
    guard let composed else { return }
    lastComposed = composed
    let plan = RunPlan(composed: composed, settings: settings)
    actions.append(
      background
        ? Action { $0.runInBackground(plan) } : Action { await $0.runAndShow(plan) })
  }

  private mutating func compare(_ comparison: ComparisonSyntax, in source: Source) {
    var plans: [RunPlan] = []
    for call in comparison.patterns {
      var composer = composer(in: source)
      if let composed = composer.compose(comparison.list, under: call) {
        if plans.contains(where: { $0.name == composed.name }) {
          report("“\(composed.name)” stands here twice", at: call.range, in: source)
        }
        plans.append(RunPlan(composed: composed, settings: settings))
      }
      diagnostics += composer.diagnostics
      // What is wrong with the list is wrong under every pattern: once is enough.
      if !composer.diagnostics.isEmpty { return }
    }
    if let runs = comparison.runs, !(1...100_000).contains(runs.value) {
      return report("a comparison takes from 1 to 100000 runs", at: runs.range, in: source)
    }
    lastComposed = plans.last?.composed
    comparedNames = plans.map(\.name)
    let runs = comparison.runs?.value
    actions.append(Action { [plans] in await $0.compare(plans, runs: runs) })
  }

  // MARK: - Expectations

  private mutating func expect(_ expectation: ExpectationSyntax, in source: Source) {
    switch expectation.kind {
    case .quantity(let quantity, let condition):
      requireRun(for: expectation, in: source)
      require(quantity.rawValue, quantity.measure, condition, in: source)
    case .order(let paths), .critical(let paths):
      requireRun(for: expectation, in: source)
      for path in paths { require(path, in: source) }
    case .step(let quantity, let path, let condition):
      requireRun(for: expectation, in: source)
      if let condition { require(quantity.rawValue, quantity.measure, condition, in: source) }
      require(path, in: source)
    case .ratio(let name, let condition), .verdict(let name, let condition):
      if case .ratio = expectation.kind {
        require("ratio", .number, condition, in: source)
      } else {
        require(
          "verdict", .word(Comparison.Verdict.allCases.map(\.rawValue)), condition, in: source)
      }
      if let comparedNames, !comparedNames.contains(name.text) {
        diagnostics.append(
          Diagnostic(
            comparedNames.isEmpty
              ? "nothing is compared before this expectation"
              : "“\(name.text)” is not among what is compared", at: name.range, in: source,
            unknown: name.text, among: comparedNames,
            otherwise: comparedNames.isEmpty
              ? "for instance: compare job under serial, promise"
              : "it is one of: \(comparedNames.joined(separator: ", "))"))
      }
    case .violations:
      report("nothing is explored before this expectation", at: expectation.range, in: source)
    }
    var action = Action { $0.expect(expectation, in: source) }
    action.isExpectation = true
    actions.append(action)
  }

  /// A condition that no run could ever meet, or miss, is a mistake in what was written.
  private mutating func require(
    _ quantity: String, _ measure: Measure, _ condition: ExpectationSyntax.Condition,
    in source: Source
  ) {
    guard let mistake = measure.mistake(in: condition) else { return }
    report(
      "“\(quantity)” \(mistake)", at: condition.value.range, in: source,
      hint: "for instance: \(measure.example)")
  }

  private mutating func requireRun(for expectation: ExpectationSyntax, in source: Source) {
    guard lastComposed == nil, diagnostics.isEmpty else { return }
    report(
      "nothing is run before this expectation", at: expectation.range, in: source,
      hint: "an expectation reads the last run: serial { sleep 20ms }; expect makespan < 40ms")
  }

  private mutating func require(_ path: StepPathSyntax, in source: Source) {
    guard let lastComposed, diagnostics.isEmpty else { return }
    let components = path.components.map(\.text)
    if lastComposed.contains(components) || lastComposed.containsCounted(components) { return }
    let known = lastComposed.paths().map { $0.joined(separator: "/") }
    diagnostics.append(
      Diagnostic(
        "the run before this has no step “\(path.text)”", at: path.range, in: source,
        unknown: path.text, among: known,
        otherwise: known.isEmpty ? "it has no steps" : "its steps are \(known.shortList)"))
  }

  // MARK: - What happens while it checks

  private mutating func set(_ setting: SettingSyntax?, in source: Source) {
    guard let setting else {
      let settings = settings
      actions.append(Action { $0.show(settings) })
      return
    }
    guard let name = Settings.Name(rawValue: setting.name.text) else {
      diagnostics.append(
        Diagnostic(
          "there is no setting “\(setting.name.text)”", at: setting.name.range, in: source,
          unknown: setting.name.text, among: Settings.Name.allCases.map(\.rawValue),
          otherwise: "“set” lists them"))
      return
    }
    guard let value = setting.value else {
      let text = "\(name.rawValue)  \(settings.text(of: name))"
      actions.append(Action { $0.console.say(text) })
      return
    }
    do throws(ArgumentError) {
      try settings.set(name, to: value.asValue)
      let changed = settings
      actions.append(Action { $0.settings = changed })
    } catch {
      report(error.message, at: value.range, in: source)
    }
  }

  private mutating func read(_ word: WordSyntax, in source: Source) async {
    let path = FilePath.resolve(word.text, besides: source.name)
    let file = FilePath.canonical(path)
    if openFiles.contains(file) {
      return report("“\(word.text)” reads itself", at: word.range, in: source)
    }
    do {
      let inner = try await ScriptFile.read(path)
      let (script, found) = Parser.parse(inner)
      diagnostics += found
      openFiles.append(file)
      if found.isEmpty { await check(script, in: inner) }
      openFiles.removeLast()
    } catch let diagnostic as Diagnostic {
      diagnostics.append(diagnostic)
    } catch {
      report(String(describing: error), at: word.range, in: source)
    }
  }
}

extension Composed {
  /// Whether a label that had a count is called `path`.
  fileprivate func containsCounted(_ path: [String]) -> Bool {
    guard let stem = path.last else { return false }
    return contains(path.dropLast() + ["\(stem)-1"])
  }
}
