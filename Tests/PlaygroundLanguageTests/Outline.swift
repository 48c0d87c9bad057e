import PlaygroundLanguage

/// A syntax tree as text that shows every node, so that tests can compare it with an expected text.
///
/// A call is `(callee (name=value value) literals body)`; a step is `label:count*expression<a,b|o=v>`.
struct Outline {
  static func of(_ text: String) -> [String] {
    let (script, diagnostics) = Parser.parse(Source(name: "x.play", text: text))
    return diagnostics.map { "error: \($0.message)" } + script.statements.map(statement)
  }

  static func statement(_ statement: Statement) -> String {
    switch statement.kind {
    case .assignment(let name, let bound): "\(name.text) := \(expression(bound))"
    case .run(let run, let background): expression(run) + (background ? " &" : "")
    case .command(let command): "\(command.keyword.text)! \(words(command.kind))"
    case .declaration: "swift!"
    }
  }

  static func expression(_ expression: ExpressionSyntax) -> String {
    switch expression {
    case .list(let syntax): list(syntax)
    case .call(let syntax): call(syntax)
    }
  }

  static func call(_ call: CallSyntax) -> String {
    var parts = [call.callee.text]
    if !call.arguments.isEmpty {
      let arguments = call.arguments.map { ($0.name.map { $0.text + "=" } ?? "") + value($0.value) }
      parts.append("(" + arguments.joined(separator: " ") + ")")
    }
    parts += call.literals.map { literal($0.value) }
    switch call.body {
    case .none: break
    case .name(let name): parts.append("@" + name.text)
    case .swift: parts.append("{swift}")
    case .block(let steps): parts.append("{}" + list(steps))
    case .list(let steps): parts.append(list(steps))
    }
    return "(" + parts.joined(separator: " ") + ")"
  }

  static func list(_ list: ListSyntax) -> String {
    "[" + list.steps.map(step).joined(separator: ", ") + "]"
  }

  static func step(_ step: StepSyntax) -> String {
    var text = step.label.map { label($0) + ":" } ?? ""
    text += step.count.map { "\($0.value)*" } ?? ""
    text += expression(step.expression)
    if !step.predecessors.isEmpty || !step.options.isEmpty {
      text += "<" + step.predecessors.map(label).joined(separator: ",")
      text += "|" + step.options.map { "\($0.name.text)=\(value($0.value))" }.joined(separator: ",")
      text += ">"
    }
    return text
  }

  static func label(_ label: LabelSyntax) -> String {
    label.isQuoted ? "\"\(label.text)\"" : label.text
  }

  static func value(_ value: ValueSyntax) -> String {
    switch value {
    case .literal(let syntax): literal(syntax.value)
    case .word(let word): "'" + word.text
    }
  }

  static func literal(_ literal: Literal.Value) -> String {
    switch literal {
    case .duration(let nanoseconds): "\(nanoseconds)ns"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)r"
    case .string(let text): "\"\(text)\""
    case .size(let width, let height): "\(width)x\(height)"
    case .percent(let value): "\(value)%"
    case .curve(let x1, let y1, let x2, let y2): "curve(\(x1) \(y1) \(x2) \(y2))"
    case .boolean(let value): "\(value)"
    }
  }
}

extension Outline {
  private static func shown(_ shown: ShownSyntax) -> String {
    switch shown {
    case .timeline: ""
    case .lanes: " lanes"
    case .allSteps: " all"
    case .picture(let file): " save " + word(file)
    }
  }

  static func words(_ kind: CommandSyntax.Kind) -> String {
    switch kind {
    case .load(let words), .unload(let words), .reload(let words): list(words)
    case .plugins, .patterns, .names, .runs, .jobs, .quit, .history, .lessons: "."
    case .lesson(let number): "\(number.value)"
    case .save(let word), .edit(let word): word.map(Self.word) ?? "."
    case .shell(let text): text
    case .help(let topic): topic.map(word) ?? "."
    case .run(let run, let background): expression(run) + (background ? " &" : "")
    case .show(let number, let shown): (number.map { "\($0.value)" } ?? ".") + self.shown(shown)
    case .wait(let numbers), .cancel(let numbers), .compareRuns(let numbers):
      "\(numbers.map(\.value))"
    case .compare(let comparison):
      expression(comparison.list) + " under "
        + comparison.patterns.map(call).joined(separator: ", ")
        + (comparison.runs.map { " runs \($0.value)" } ?? "")
    case .expect(let syntax): expectation(syntax)
    case .explore(let syntax): exploration(syntax)
    case .replay(let schedule): word(schedule)
    case .simulate(let simulation):
      ([word(simulation.file)] + simulation.changes.map(change)).joined(separator: " ")
    case .trace(let subcommand, _, let words): "\(subcommand.rawValue) \(list(words))"
    case .set(let setting):
      setting.map { $0.name.text + ($0.value.map { " " + value($0) } ?? "") } ?? "."
    case .source(let file): word(file)
    }
  }

  static func word(_ word: WordSyntax) -> String { word.isQuoted ? "\"\(word.text)\"" : word.text }

  static func list(_ words: [WordSyntax]) -> String { "\(words.map(word))" }

  static func change(_ change: SimulationSyntax.Change) -> String {
    switch change {
    case .scale(let path, let factor, _): "\(path.text)*\(factor)"
    case .set(let name, let new, _): "\(name.text)=\(value(new))"
    }
  }

  static func exploration(_ syntax: ExplorationSyntax) -> String {
    var parts = [expression(syntax.expression)]
    if let runs = syntax.runs { parts.append("runs \(runs.value)") }
    if let strategy = syntax.strategy { parts.append("strategy \(strategy)") }
    if let depth = syntax.depth { parts.append("depth \(depth.value)") }
    if let injection = syntax.injection { parts.append("inject \(injection)") }
    return (parts + syntax.expectations.map { "{" + expectation($0) + "}" }).joined(separator: " ")
  }

  static func expectation(_ syntax: ExpectationSyntax) -> String {
    switch syntax.kind {
    case .quantity(let quantity, let condition): "\(quantity) \(self.condition(condition))"
    case .order(let paths): "order " + paths.map(path).joined(separator: ", ")
    case .critical(let paths): "critical " + paths.map(path).joined(separator: ", ")
    case .step(let quantity, let syntax, let condition):
      "\(quantity) \(path(syntax))" + (condition.map { " " + self.condition($0) } ?? "")
    case .ratio(let name, let condition): "ratio <\(name.text)> \(self.condition(condition))"
    case .verdict(let name, let condition): "verdict <\(name.text)> \(self.condition(condition))"
    case .violations(let condition): "violations \(self.condition(condition))"
    }
  }

  static func path(_ path: StepPathSyntax) -> String {
    path.components.map(label).joined(separator: "/")
  }

  static func condition(_ condition: ExpectationSyntax.Condition) -> String {
    "\(condition.comparison.rawValue) \(expected(condition.value))"
  }

  static func expected(_ value: ExpectedValueSyntax) -> String {
    switch value {
    case .literal(let syntax): literal(syntax.value)
    case .word(let word): "'" + word.text
    case .list(let values, _): "[" + values.map(expected).joined(separator: ", ") + "]"
    }
  }
}
