public import AsyncPatterns
public import PlaygroundLanguage

/// Makes runnable steps out of what was written, and finds everything wrong with it before anything
/// runs: unknown names, bad arguments, labels that collide, an `after` that names nobody, a cycle.
///
/// What a name stands for is composed once, however often the name is used. Composing recurses, at most
/// `Parser.deepestNesting` levels of patterns and as many of names that stand for names; that takes less than 2 MB of stack, and
/// less than 6 MB in a debug build.
public struct Composer {
  /// After so many findings the rest is not looked at.
  static let mostDiagnostics = 100

  let vocabulary: Vocabulary
  let clock: ClockKind
  /// Whether no other clock is to be had, whatever is set.
  public var isClockGiven = false
  /// Where what is being composed was written, and what its names stand for.
  var source: Source
  var bindings: Bindings
  /// What was found; a composition with findings must not be run.
  public internal(set) var diagnostics: [Diagnostic] = []

  var depth = NestingDepth()
  /// The deepest that was reached since the name that is being composed.
  var reached = NestingDepth()
  var remembered: [ObjectIdentifier: Remembered] = [:]
  /// The outermost name that is being composed.
  var nameInUse: (range: SourceRange, source: Source)?

  /// - Parameters:
  ///   - clock: the clock the composition is to run by.
  ///   - source: where the expressions come from.
  public init(vocabulary: Vocabulary, bindings: Bindings, clock: ClockKind, source: Source) {
    self.vocabulary = vocabulary
    self.bindings = bindings
    self.clock = clock
    self.source = source
  }

  /// The expression as something to run, or nil where something is wrong with it.
  public mutating func compose(_ expression: ExpressionSyntax) -> Composed? {
    let found = diagnostics.count
    guard let step = step(expression), diagnostics.count == found else { return nil }
    return Composed(step, of: expression, in: source, names: bindings)
  }

  /// A list's steps under a pattern, as `compare LIST under CALL` has them.
  public mutating func compose(_ list: ExpressionSyntax, under call: CallSyntax) -> Composed? {
    let found = diagnostics.count
    guard let step = pattern(call, over: list), diagnostics.count == found else { return nil }
    return Composed(step, of: .call(call), over: list, in: source, names: bindings)
  }

  /// Checks an expression that is to be bound to a name; a list needs no pattern there, and may name
  /// steps behind `after` that the list around it will have.
  ///
  /// - Returns: whether it can be used; where not, bind the name as `Binding.unusable`.
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

  /// The step that an expression stands for; its label is what it is called after.
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
    if let binding = bindings[call.callee.text] { return boundStep(call, binding) }
    if let kind = vocabulary.steps[call.callee.text] { return kernelStep(call, kind) }
    return pattern(call)
  }

  private mutating func kernelStep(_ call: CallSyntax, _ kind: StepKind) -> Step? {
    guard call.body == .none else {
      var hint: String?
      if case .name(let name) = call.body, kind.manual.takesText {
        hint = "a string stands in quotes: \(kind.manual.name) \"\(name.text)\""
      }
      report(
        "“\(kind.manual.name)” is a step and takes no steps of its own", at: call.range, hint: hint)
      return nil
    }
    let arguments = arguments(of: call, kind.manual)
    guard runs(kind.manual, at: call.callee), let arguments else { return nil }
    return attempt(call, kind.manual) { try kind.make(call.callee.text, arguments) }
  }

  /// The pattern that `call` names, over its own steps or over those of `list`.
  mutating func pattern(_ call: CallSyntax, over list: ExpressionSyntax? = nil) -> Step? {
    guard let type = vocabulary.patterns[call.callee.text] else {
      if let kind = vocabulary.steps[call.callee.text] {
        report("“\(kind.manual.name)” is a step, not a pattern", at: call.callee.range)
      } else if bindings[call.callee.text] != nil {
        report("“\(call.callee.text)” is a name, not a pattern", at: call.callee.range)
      } else {
        unknown(call.callee)
      }
      return nil
    }
    guard enterPattern(at: call.callee.range) else { return nil }
    defer { depth.patterns -= 1 }
    let manual = type.manual
    // All three are looked at, whatever is wrong with the others, in the order of the text.
    let arguments = arguments(of: call, manual)
    let runs = runs(manual, at: call.callee)
    guard var steps = list.map({ self.steps(of: $0) }) ?? body(of: call) else { return nil }
    let isResolved = resolveOptions(of: &steps, under: manual)
    reportUnresolved(steps)
    guard let arguments, runs, isResolved, !steps.isUnusable, steps.unresolved.isEmpty,
      let instance = attempt(call, manual, { try type.init(arguments) })
    else { return nil }
    steps.nameDependencies()
    return validated(instance, steps, call, hasBody: list != nil || call.body != .none)
  }

  private mutating func validated(
    _ pattern: some AsyncPattern, _ steps: WrittenSteps, _ call: CallSyntax, hasBody: Bool
  ) -> Step? {
    do {
      try pattern.validate(steps.steps)
      return Step(call.callee.text, pattern: pattern, steps: steps.steps)
    } catch let error as CompositionError {
      let place = error.step.flatMap { steps.place(of: $0) }
      report(
        error.message, at: place?.range ?? call.callee.range, in: place?.source,
        hint: hasBody ? nil : "write the steps behind it: \(call.callee.text) { … }")
    } catch {
      report(String(describing: error), at: call.callee.range)
    }
    return nil
  }

  /// The steps between a call's braces or brackets, or those its name stands for.
  private mutating func body(of call: CallSyntax) -> WrittenSteps? {
    switch call.body {
    case .none: return WrittenSteps()
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

  private mutating func unknown(_ name: NameSyntax) {
    if let way = vocabulary.wayTo(name.text) {
      return report(
        "there is no pattern, step or name “\(name.text)”", at: name.range, hint: way)
    }
    diagnostics.append(
      Diagnostic(
        "there is no pattern, step or name “\(name.text)”", at: name.range, in: source,
        unknown: name.text, among: vocabulary.names + bindings.keys.sorted(),
        otherwise: vocabulary.patterns.isEmpty
          ? "no pattern is loaded: “load” loads all there are" : "“patterns” lists what there is"))
  }
}

extension Manual {
  /// Whether a parameter takes a string.
  fileprivate var takesText: Bool {
    parameters.contains { $0.kind == .string || $0.kind == .value }
  }
}
