public import AsyncPatterns
public import PlaygroundLanguage

/// Makes runnable steps from expressions. Reports all errors before anything runs: unknown names, invalid arguments,
/// duplicate labels, an `after` that refers to no step, a cycle.
///
/// The meaning of a name is composed only once, however often the name is used. Composing is recursive. The depth is
/// limited to `Parser.deepestNesting` levels of patterns, and as many levels of names that refer to names. That takes
/// less than 2 MB of stack, and less than 6 MB in a debug build.
public struct Composer {
  /// The maximum number of findings. The rest of the expression is not checked.
  static let mostDiagnostics = 100

  let vocabulary: Vocabulary
  let clock: ClockKind
  /// Whether the clock is fixed, so that no setting can change it.
  public var isClockGiven = false
  /// The source of the current expression, and the meanings of its names.
  var source: Source
  var bindings: Bindings
  /// The errors that were found. A composition with errors must not be run.
  public internal(set) var diagnostics: [Diagnostic] = []

  var depth = NestingDepth()
  /// The greatest depth reached inside the name that is being composed.
  var reached = NestingDepth()
  var remembered: [ObjectIdentifier: Remembered] = [:]
  /// The outermost name that is being composed.
  var nameInUse: (range: SourceRange, source: Source)?

  /// - Parameters:
  ///   - clock: the clock that the composition will run on.
  ///   - source: the source of the expressions.
  public init(vocabulary: Vocabulary, bindings: Bindings, clock: ClockKind, source: Source) {
    self.vocabulary = vocabulary
    self.bindings = bindings
    self.clock = clock
    self.source = source
  }

  /// Composes an expression to run. Returns nil if it has an error.
  public mutating func compose(_ expression: ExpressionSyntax) -> Composed? {
    let found = diagnostics.count
    guard let step = step(expression), diagnostics.count == found else { return nil }
    return Composed(step, of: expression, in: source, names: bindings)
  }

  /// Composes a pattern over the steps of a list, as for `compare LIST under CALL`.
  public mutating func compose(_ list: ExpressionSyntax, under call: CallSyntax) -> Composed? {
    let found = diagnostics.count
    guard let step = pattern(call, over: list), diagnostics.count == found else { return nil }
    return Composed(step, of: .call(call), over: list, in: source, names: bindings)
  }

  /// Checks an expression before it is bound to a name. A list needs no pattern here, and its `after` may refer to
  /// steps of the list that it will be inserted into.
  ///
  /// - Returns: whether the expression can be used. If not, bind the name to `Binding.unusable`.
  public mutating func check(binding expression: ExpressionSyntax) -> Bool {
    let found = diagnostics.count
    let isUsable =
      if Binding(expression, in: source, names: bindings).isList {
        steps(of: expression).map { !$0.isUnusable } ?? false
      } else {
        step(expression) != nil
      }
    return isUsable && diagnostics.count == found
  }

  // MARK: - Calls

  /// The step that an expression stands for. Its label is the name of what was called.
  mutating func step(_ expression: ExpressionSyntax) -> Step? {
    switch expression {
    case .call(let call): return step(call)
    case .list(let list):
      report(
        "a list needs a pattern to run it", at: list.range,
        hint: "write for instance: serial \(SourcePrinter(source, limit: 60).text(expression))")
      return nil
    }
  }

  mutating func step(_ call: CallSyntax) -> Step? {
    if reportsDetachedUnit(in: call) { return nil }
    if case .swift(let code) = call.body { return swiftStep(call, code) }
    if let binding = bindings[call.callee.text] { return boundStep(call, binding) }
    if let kind = vocabulary.steps[call.callee.text] { return kernelStep(call, kind) }
    return pattern(call)
  }

  /// Reports a unit that is separated from its number: `1 ms` reads as a number and the name of a list.
  private mutating func reportsDetachedUnit(in call: CallSyntax) -> Bool {
    guard case .name(let unit) = call.body, bindings[unit.text] == nil,
      let number = call.literals.last,
      let found = DetachedUnit(unit.text, at: unit.range, after: number, in: source)
    else { return false }
    report(
      found.message, at: found.range, hint: "write: \(call.callee.text) \(found.duration)")
    return true
  }

  private mutating func kernelStep(_ call: CallSyntax, _ kind: StepKind) -> Step? {
    if call.callee.text == Parser.swift {
      report(
        "“\(Parser.swift)” needs Swift in braces, or a declaration", at: call.range,
        hint: "write for instance: swift { 6 * 7 }, or swift actor Cache { … }")
      return nil
    }
    guard call.body == .none else {
      var hint: String?
      if case .name(let name) = call.body, kind.manual.takesText {
        hint = "write a string in quotes: \(kind.manual.name) \"\(name.text)\""
      }
      report(
        "“\(kind.manual.name)” is a step and takes no steps of its own", at: call.range, hint: hint)
      return nil
    }
    let arguments = arguments(of: call, kind.manual)
    guard runs(kind.manual, at: call.callee), let arguments else { return nil }
    return attempt(call, kind.manual) { try kind.make(call.callee.text, arguments) }
  }

  /// The pattern that `call` names, with its own steps or those of `list`.
  mutating func pattern(_ call: CallSyntax, over list: ExpressionSyntax? = nil) -> Step? {
    guard let type = vocabulary.patterns[call.callee.text] else {
      if let kind = vocabulary.steps[call.callee.text] {
        report(
          "“\(kind.manual.name)” is a step, not a pattern", at: call.callee.range,
          hint: "“patterns” lists the patterns")
      } else if bindings[call.callee.text] != nil {
        report(
          "“\(call.callee.text)” is a name, not a pattern", at: call.callee.range,
          hint: "“patterns” lists the patterns")
      } else {
        unknown(call)
      }
      return nil
    }
    guard enterPattern(at: call.callee.range) else { return nil }
    defer { depth.patterns -= 1 }
    let manual = type.manual
    // Checks the arguments, the clock and the steps in the order of the text, even if one of them has an error.
    let arguments = arguments(of: call, manual)
    let runs = runs(manual, at: call.callee)
    guard var steps = list.map({ self.steps(of: $0) }) ?? body(of: call) else { return nil }
    let isResolved = resolveOptions(of: &steps, under: manual)
    reportUnresolved(steps)
    guard let arguments, runs, isResolved, !steps.isUnusable, steps.unresolved.isEmpty,
      let instance = attempt(call, manual, { try type.init(arguments) })
    else { return nil }
    steps.nameDependencies()
    return validated(instance, &steps, call, hasBody: list != nil || call.body != .none)
  }

  private mutating func validated(
    _ pattern: some AsyncPattern, _ steps: inout WrittenSteps, _ call: CallSyntax, hasBody: Bool
  ) -> Step? {
    do {
      try pattern.validate(steps.steps)
      // The composition changes the steps. It takes the array, so that a million steps are not copied.
      return Step(call.callee.text, pattern: pattern, steps: exchange(&steps.steps, with: []))
    } catch let error as CompositionError {
      let place = error.step.flatMap { steps.place(of: $0) }
      report(
        error.message, at: place?.range ?? call.callee.range, in: place?.source,
        hint: hasBody ? nil : "write the steps after it: \(call.callee.text) { … }")
    } catch {
      report(String(describing: error), at: call.callee.range)
    }
    return nil
  }

  /// The steps in a call's braces or brackets, or those that its name stands for.
  private mutating func body(of call: CallSyntax) -> WrittenSteps? {
    switch call.body {
    case .none, .swift: return WrittenSteps()
    case .block(let list), .list(let list): return steps(list)
    case .name(let name): return steps(of: .call(CallSyntax(name)))
    }
  }

  // MARK: - Findings

  mutating func report(
    _ message: String, at range: SourceRange, in place: Source? = nil, hint: String? = nil
  ) {
    diagnostics.append(Diagnostic(message, at: range, in: place ?? source, hint: hint))
  }

  private mutating func unknown(_ call: CallSyntax) {
    let name = call.callee
    if reportsCommand(call) { return }
    if let fix = vocabulary.wayTo(name.text) {
      return report(
        "there is no pattern, step or name “\(name.text)”", at: name.range, hint: fix)
    }
    var missingColon: String?
    if case .name(let step) = call.body, vocabulary.manual(step.text) != nil {
      missingColon = "if it is a label, a “:” is missing: \(name.text): \(step.text)"
    }
    diagnostics.append(
      Diagnostic(
        "there is no pattern, step or name “\(name.text)”", at: name.range, in: source,
        unknown: name.text, among: vocabulary.names + bindings.keys.sorted() + commands(like: name),
        otherwise: missingColon
          ?? (vocabulary.patterns.isEmpty
            ? "no pattern is loaded; “load” loads all plugins"
            : "“patterns” lists patterns and steps")))
  }

  /// The commands that a name may stand for, if it is the first word of a line.
  private func commands(like name: NameSyntax) -> [String] {
    let before = source.text(SourceRange(0, name.range.start))
    guard depth.patterns == 0, before.last(where: { $0 != " " })?.isNewline ?? true else {
      return []
    }
    return Keyword.commands.map(\.rawValue) + CommandName.allCases.map(\.rawValue)
  }

  /// Reports a command word that is also an ordinary name, and is followed by something that the command does not take.
  private mutating func reportsCommand(_ call: CallSyntax) -> Bool {
    guard let command = CommandName(rawValue: call.callee.text), call.plainName == nil else {
      return false
    }
    let name = call.callee.text
    let rest = source.text(SourceRange(call.callee.range.end, call.range.end))
      .drop { $0.isWhitespace }
    let shown = rest.count > 40 ? rest.prefix(39) + "…" : rest
    let (wanted, hint) =
      switch command {
      case .lesson: ("a lesson’s number", "“lessons” lists them; for instance: lesson 1")
      case .save: ("a file", "write: save a.play")
      case .edit: ("at most a name", "write: edit fetch")
      case .exit, .q, .history, .lessons: ("no argument", "write: \(name)")
      }
    report(
      "the command “\(name)” takes \(wanted), not “\(shown)”", at: call.range, hint: hint)
    return true
  }
}

extension Manual {
  /// Whether a parameter accepts a string.
  fileprivate var takesText: Bool {
    parameters.contains { $0.kind == .string || $0.kind == .value }
  }
}
