public import AsyncPatterns
public import PlaygroundLanguage

/// Makes runnable steps out of what was written, and finds everything wrong with it before anything
/// runs: unknown names, bad arguments, labels that collide, an `after` that names nobody, a cycle.
public struct Composer {
  let vocabulary: Vocabulary
  let bindings: Bindings
  let clock: ClockKind
  let source: Source
  /// What was found; a composition with findings must not be run.
  public internal(set) var diagnostics: [Diagnostic] = []

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
    guard let step = step(expression) else { return nil }
    guard diagnostics.count == found else { return nil }
    return Composed(step: step, name: SourcePrinter(source, limit: 200).text(expression))
  }

  /// A list's steps under a pattern, as `compare LIST under CALL` has them.
  public mutating func compose(_ list: ExpressionSyntax, under call: CallSyntax) -> Composed? {
    let found = diagnostics.count
    guard let steps = steps(named: list), let step = pattern(call, steps: steps),
      diagnostics.count == found
    else { return nil }
    return Composed(step: step, name: SourcePrinter(source, limit: 200).text(.call(call)))
  }

  /// Checks an expression that is to be bound to a name; a list needs no pattern there.
  public mutating func check(binding expression: ExpressionSyntax) {
    if Binding(expression, in: source, names: bindings).isList {
      _ = steps(named: expression)
    } else {
      _ = step(expression)
    }
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

  /// The step that a plain name stands for.
  mutating func step(named name: NameSyntax) -> Step? {
    step(.call(CallSyntax(name)))
  }

  private mutating func step(_ call: CallSyntax) -> Step? {
    let name = call.callee.text
    if let binding = bindings[name] { return boundStep(call, binding) }
    if let kind = vocabulary.steps[name] { return kernelStep(call, kind) }
    if vocabulary.patterns[name] != nil {
      guard let steps = body(of: call) else { return nil }
      return pattern(call, steps: steps)
    }
    unknown(call.callee)
    return nil
  }

  private mutating func boundStep(_ call: CallSyntax, _ binding: Binding) -> Step? {
    let name = call.callee.text
    guard call.plainName != nil else {
      report(
        "“\(name)” is a name that was bound here, so it takes no arguments and no steps",
        at: call.range, hint: "write “\(name)” alone")
      return nil
    }
    guard !binding.isList else {
      report(
        "“\(name)” is a list and needs a pattern to run it", at: call.range,
        hint: "write for instance: serial \(name)")
      return nil
    }
    var step = within(binding) { $0.step(binding.expression) }
    step?.label = name
    return step
  }

  private mutating func kernelStep(_ call: CallSyntax, _ kind: StepKind) -> Step? {
    if case .none = call.body {
    } else {
      report("“\(kind.manual.name)” is a step and takes no steps of its own", at: call.range)
      return nil
    }
    guard let arguments = arguments(of: call, kind.manual), runs(kind.manual, at: call.callee)
    else { return nil }
    return attempt(call) { try kind.make(call.callee.text, arguments) }
  }

  /// The pattern that `call` names, over `steps`.
  mutating func pattern(_ call: CallSyntax, steps: WrittenSteps) -> Step? {
    guard let type = vocabulary.patterns[call.callee.text] else {
      if let kind = vocabulary.steps[call.callee.text] {
        report("“\(kind.manual.name)” is a step, not a pattern", at: call.callee.range)
      } else {
        unknown(call.callee)
      }
      return nil
    }
    let manual = type.manual
    guard let arguments = arguments(of: call, manual), runs(manual, at: call.callee),
      let resolved = resolveOptions(steps, under: manual),
      let instance = attempt(call, { try type.init(arguments) })
    else { return nil }
    do {
      try instance.validate(resolved)
    } catch let error as CompositionError {
      let place = error.step.flatMap { steps.ranges[$0] }
      report(
        error.message, at: place?.range ?? call.callee.range, in: place?.source ?? source,
        hint: resolved.isEmpty && call.body == .none
          ? "write the steps behind it: \(manual.name) { … }" : nil)
      return nil
    } catch {
      report(String(describing: error), at: call.callee.range)
      return nil
    }
    return Step(call.callee.text, pattern: instance, steps: resolved)
  }

  /// The arguments of a call, positional literals included, as the manual has them.
  private mutating func arguments(of call: CallSyntax, _ manual: Manual) -> Arguments? {
    let written =
      call.arguments.map { (name: $0.name?.text, value: $0.value.asValue, range: $0.range) }
      + call.literals.map { (name: nil, value: $0.asValue, range: $0.range) }
    do {
      return try manual.resolve(written.map { (name: $0.name, value: $0.value) })
    } catch {
      report(error, at: error.position.map { written[$0].range } ?? call.range)
      return nil
    }
  }

  private mutating func runs(_ manual: Manual, at name: NameSyntax) -> Bool {
    guard !manual.clocks.contains(clock) else { return true }
    report(
      "“\(manual.name)” runs on the \(manual.clocks.map(\.rawValue).sorted().joined(separator: " or ")) "
        + "clock only, and this run goes by the \(clock.rawValue) one", at: name.range,
      hint: clock == .virtual
        ? "put “sleep” or “work” with the time it takes in its place, or write: set clock live"
        : "write: set clock virtual")
    return false
  }

  // MARK: - Findings

  mutating func report(
    _ message: String, at range: SourceRange, in place: Source? = nil, hint: String? = nil
  ) {
    diagnostics.append(Diagnostic(message, at: range, in: place ?? source, hint: hint))
  }

  mutating func report(_ error: ArgumentError, at range: SourceRange) {
    let near =
      error.suggestions.isEmpty ? nil : nearest(to: source.text(range), among: error.suggestions)
    report(error.message, at: range, hint: near.map { "did you mean “\($0)”?" })
  }

  private mutating func unknown(_ name: NameSyntax) {
    diagnostics.append(
      Diagnostic(
        "there is no pattern, step or name “\(name.text)”", at: name.range, in: source,
        unknown: name.text, among: vocabulary.names + bindings.keys.sorted(),
        otherwise: vocabulary.patterns.isEmpty
          ? "no pattern is loaded: “load” loads all there are" : "“patterns” lists what there is"))
  }

  /// What `make` makes, or a finding at the call it was made for.
  private mutating func attempt<Made>(_ call: CallSyntax, _ make: () throws -> Made) -> Made? {
    do {
      return try make()
    } catch let error as ArgumentError {
      report(error, at: call.range)
    } catch {
      report(String(describing: error), at: call.range)
    }
    return nil
  }

  /// Composes something that was written elsewhere, with the names of that place.
  mutating func within<Made>(_ binding: Binding, _ make: (inout Composer) -> Made) -> Made {
    var inner = Composer(
      vocabulary: vocabulary, bindings: binding.names, clock: clock, source: binding.source)
    let made = make(&inner)
    diagnostics += inner.diagnostics
    return made
  }
}
