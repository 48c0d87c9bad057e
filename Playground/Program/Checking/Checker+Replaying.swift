import AsyncSimulation
import Composing
import PlaygroundLanguage

extension Checker {
  /// Checks a schedule and the script that follows it. The definitions of that script are removed afterwards.
  mutating func replay(_ word: WordSyntax, in source: Source) async {
    let quoted = QuotedText(word, in: source)
    guard let colon = quoted.text.firstRange(of: ReplayText.separator) else {
      return report(
        "a script is missing after the schedule", at: word.range, in: source,
        hint:
          "write it as “explore” does: replay \"4 workers, 3:1 17:2: race { sleep 1ms; sleep 1ms }\""
      )
    }
    let start = quoted.text[..<colon.upperBound].utf8.count
    guard let schedule = Schedule(String(quoted.text[..<colon.lowerBound])) else {
      let end = quoted.text[..<colon.lowerBound].utf8.count
      return report(
        "this is not a schedule", at: quoted.range(SourceRange(0, end)), in: source,
        hint:
          "a schedule looks like “4 workers”, “1 worker, 3:1 17:2” or “4 workers, cancel at 12, 3:1”"
      )
    }
    guard schedule.workers <= Settings.mostWorkers else {
      let end = quoted.text.prefix { $0.isNumber }.utf8.count
      return report(
        "the number of workers must be from 1 to \(Settings.mostWorkers)",
        at: quoted.range(SourceRange(0, end)), in: source)
    }
    let script = Source(name: source.name, text: String(quoted.text[colon.upperBound...]))
    let found = diagnostics.count
    let composed = await composed(of: script)
    for index in found..<diagnostics.count {
      diagnostics[index] = diagnostics[index].moved(by: start, into: quoted, in: source)
    }
    guard let composed else { return }
    lastComposed = composed
    var settings = settings.ofExploration
    settings.workers = schedule.workers
    let plan = RunPlan(composed: composed, settings: settings, schedule: schedule)
    actions.append(Action { await $0.replay(plan) })
  }

  /// Composes a script of definitions and one expression. The script can use only names that it defines itself.
  private mutating func composed(of script: Source) async -> Composed? {
    let (syntax, found) = Parser.parse(script)
    guard found.isEmpty else {
      diagnostics += found
      return nil
    }
    let outer = bindings
    bindings = [:]
    defer { bindings = outer }
    await compileSwift(of: syntax.statements, in: script)
    var expression: ExpressionSyntax?
    for statement in syntax.statements {
      switch statement.kind {
      case .assignment(let name, let bound) where expression == nil:
        bind(name, to: bound, in: script)
      case .run(let run, background: false) where expression == nil: expression = run
      default:
        report(
          "a replay takes definitions, followed by one expression", at: statement.range,
          in: script)
        return nil
      }
    }
    guard let expression else {
      report("the expression to run is missing", at: script.end, in: script)
      return nil
    }
    var composer = Composer(
      vocabulary: session.vocabulary, bindings: bindings, clock: .virtual, source: script)
    composer.isClockGiven = true
    let composed = composer.compose(expression)
    diagnostics += composer.diagnostics
    return composed
  }
}

extension Diagnostic {
  /// The same diagnostic, with a range in the text that quotes the script.
  ///
  /// - Parameter start: where in the quoted text the script begins.
  fileprivate func moved(by start: Int, into quoted: QuotedText, in outer: Source) -> Diagnostic {
    let inner = SourceRange(range.start + start, range.end + start)
    return Diagnostic(message, at: quoted.range(inner), in: outer, hint: hint)
  }
}
