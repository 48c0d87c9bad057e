/// Everything in a step before its own steps. A step without steps of its own consists only of its head.
private struct StepHead {
  var start: Int
  var label: LabelSyntax?
  var count: CountSyntax?
  /// Nil for a list without a callee.
  var callee: NameSyntax?
  var arguments: [ArgumentSyntax] = []
  var literals: [Literal] = []
  /// The body of `swift { … }`.
  var swift: SwiftSyntax?
}

/// A list that is not closed yet.
private struct OpenList {
  var opener: Token
  var owner: StepHead
  var steps: [StepSyntax] = []
  /// The number of steps, with counts expanded.
  var total = 0
}

extension Parser {
  /// Parses an expression: a name, a call or a list.
  mutating func expression() throws(SyntaxFailure) -> ExpressionSyntax {
    if token.kind == .openBracket { return try expression(StepHead(start: token.range.start)) }
    guard token.kind == .name || token.kind == .keyword else {
      throw unexpected(
        "a pattern, a step or a list",
        hint: beginsLiteral ? "a value is made by a step: value \(shown(token))" : nil)
    }
    return try expression(startingWith: try name("a pattern, a step or a list"))
  }

  /// Parses an expression that starts with a name. The name has already been consumed.
  mutating func expression(
    startingWith callee: NameSyntax
  ) throws(SyntaxFailure) -> ExpressionSyntax {
    var head = StepHead(start: callee.range.start)
    try finishCallHead(&head, callee: callee)
    return try expression(head)
  }

  /// Parses a call without a body.
  mutating func bodilessCall(_ what: String) throws(SyntaxFailure) -> CallSyntax {
    let callee = try name(what)
    var head = StepHead(start: callee.range.start)
    try finishCallHead(&head, callee: callee)
    return call(head, callee: callee, body: .none)
  }

  private mutating func finishCallHead(
    _ head: inout StepHead, callee: NameSyntax
  ) throws(SyntaxFailure) {
    head.callee = callee
    if token.kind == .openParenthesis { head.arguments = try arguments(of: callee) }
    while beginsLiteral { head.literals.append(try literal()) }
    reportDetachedUnit(after: head.literals.last, of: callee)
    if callee.text == Self.swift, token.kind == .openBrace { head.swift = try swiftBlock() }
  }

  /// Reports a unit that is separated from its number before a list: `timeout 1 s { … }`. If no list follows, the word
  /// may be the name of a list.
  private mutating func reportDetachedUnit(after number: Literal?, of callee: NameSyntax) {
    guard token.kind == .name, let number else { return }
    let next = lexer.lookahead().0
    guard next == UInt8(ascii: "{") || next == UInt8(ascii: "["),
      let found = detachedUnit(after: number)
    else { return }
    fail(found.message, at: found.range, hint: "write: \(callee.text) \(found.duration) { … }")
    advance()
  }

  /// Parses the rest of an expression after its head, including everything nested in it.
  private mutating func expression(_ head: StepHead) throws(SyntaxFailure) -> ExpressionSyntax {
    guard opensList, head.swift == nil else { return .call(leaf(head)) }
    var open: [OpenList] = []
    openList(of: head, in: &open)
    while true {
      skipSeparators()
      switch token.kind {
      case .end:
        throw unclosed(open[open.count - 1].opener.range)
      case .closeBrace, .closeBracket:
        let expression = closeList(open.removeLast())
        if open.isEmpty { return expression.syntax }
        appendStep(expression.owner, expression.syntax, to: &open)
      default:
        readStep(into: &open)
      }
    }
  }

  /// Reads a step. If it has steps of its own, reads only its head.
  private mutating func readStep(into open: inout [OpenList]) {
    let start = token.range.start
    do {
      let head = try stepHead(in: open[open.count - 1].opener)
      guard opensList, head.swift == nil else {
        return appendStep(head, .call(leaf(head)), to: &open)
      }
      if open.count == Self.deepestNesting {
        throw fail(
          "lists are nested more than \(Self.deepestNesting) deep",
          hint: "name the inner ones: job = [ … ]")
      }
      openList(of: head, in: &open)
    } catch {
      rewordErrorInLabel(from: start)
      recover(insideList: true)
    }
  }

  private var opensList: Bool { token.kind == .openBrace || token.kind == .openBracket }

  private mutating func openList(of head: StepHead, in open: inout [OpenList]) {
    open.append(OpenList(opener: token, owner: head))
    advance()
  }

  /// Completes a call whose body, if any, is a name or Swift code.
  private mutating func leaf(_ head: StepHead) -> CallSyntax {
    guard let callee = head.callee else { preconditionFailure("a list opens with a bracket") }
    if let swift = head.swift { return call(head, callee: callee, body: .swift(swift)) }
    if token.kind == .name {
      let body = consumeName()
      return call(head, callee: callee, body: .name(body))
    }
    return call(head, callee: callee, body: .none)
  }

  private func call(
    _ head: StepHead, callee: NameSyntax, body: CallSyntax.Body
  ) -> CallSyntax {
    CallSyntax(
      callee: callee, arguments: head.arguments, literals: head.literals, body: body,
      range: SourceRange(callee.range.start, consumedEnd))
  }

  // MARK: - Steps

  private mutating func stepHead(in opener: Token) throws(SyntaxFailure) -> StepHead {
    var head = StepHead(start: token.range.start)
    var callee: NameSyntax?
    if token.kind == .name {
      let name = consumeName()
      if token.kind == .colon {
        head.label = LabelSyntax(text: name.text, isQuoted: false, range: name.range)
        advance()
      } else {
        callee = name
      }
    } else if token.kind == .string {
      head.label = try label()
      guard consume(.colon) else {
        throw fail(
          "a string cannot be a step", at: head.label?.range,
          hint: "a label is followed by “:” and a step; a value is made by: value \"…\"")
      }
    }
    if callee == nil, token.kind == .number {
      let number = token
      head.count = try count("a count of steps", atLeast: 1)
      if token.kind == .comma || token.isSeparator || closesList {
        throw fail(
          "a number cannot be a step", at: number.range,
          hint: "a value is made by a step: value \(shown(number))")
      }
      guard consume(.star) else { throw unexpected("“*” between a count and its step") }
    }
    if callee == nil, token.kind == .openBracket { return head }
    if callee == nil, token.kind == .keyword { throw keywordAmongSteps(in: opener) }
    let found = if let callee { callee } else { try name("a step") }
    try finishCallHead(&head, callee: found)
    return head
  }

  private mutating func keywordAmongSteps(in opener: Token) -> SyntaxFailure {
    let (next, _) = lexer.lookahead()
    if next == UInt8(ascii: ":") { return reservedName(isLabel: true) }
    guard token.keyword!.isCommand else { return reservedName() }
    let line = source.location(of: opener.range).line
    return fail(
      "“\(shown(token))” is a command word and cannot be a step",
      hint: "the “\(source.text(opener.range))” of line \(line) is still open")
  }

  /// Reads the clauses after a step, and adds the step to the innermost open list.
  private mutating func appendStep(
    _ head: StepHead, _ expression: ExpressionSyntax, to open: inout [OpenList]
  ) {
    do {
      var step = StepSyntax(
        label: head.label, count: head.count, expression: expression, predecessors: [],
        options: [], range: SourceRange(head.start, consumedEnd))
      if token.kind == .keyword { try stepTail(&step) }
      guard token.isSeparator || closesList || token.kind == .end else {
        if let failure = missingColon(in: step) { throw failure }
        throw superfluous(hint: hint(behind: step))
      }
      let index = open.count - 1
      let (total, overflow) = open[index].total.addingReportingOverflow(head.count?.value ?? 1)
      guard !overflow, total <= Self.mostSteps else {
        fail(
          "a list can have at most 1 000 000 steps", at: step.range,
          hint: "put a pattern around some of them: serial { … }")
        return skipRestOfList()
      }
      open[index].total = total
      open[index].steps.append(step)
    } catch {
      rewordErrorInLabel(from: head.start)
      recover(insideList: true)
    }
  }

  private var closesList: Bool { token.kind == .closeBrace || token.kind == .closeBracket }

  /// Records that a label has no colon, if the step reads like that: `a sleep 1ms`. Nil otherwise.
  private mutating func missingColon(in step: StepSyntax) -> SyntaxFailure? {
    guard token.kind == .number || token.kind == .string, step.label == nil,
      step.predecessors.isEmpty, step.options.isEmpty, case .call(let call) = step.expression,
      case .name(let body) = call.body, call.arguments.isEmpty, call.literals.isEmpty
    else { return nil }
    let name = call.callee.text
    let rest = "\(body.text) \(shown(token))"
    return fail(
      "“:” or “{” is missing after “\(name)”", at: call.callee.range,
      hint: "a label: \(name): \(rest); a pattern: \(name) { \(rest) }")
  }

  private func hint(behind step: StepSyntax) -> String {
    switch token.kind {
    case .name where !step.predecessors.isEmpty: return "labels are separated by “,”"
    case .name where !step.options.isEmpty: return "options are separated by “,”"
    case .assign: return "bind names in statements of their own, outside lists"
    case .comma: return "steps are separated by “;” or by lines"
    case .ampersand: return "only a whole run can go to the background"
    case .closeParenthesis: return "this “)” closes nothing"
    default:
      return secondBodyHint ?? "a step ends with its line, with “;” or with what closes the list"
    }
  }

  private mutating func stepTail(_ step: inout StepSyntax) throws(SyntaxFailure) {
    while true {
      if step.predecessors.isEmpty, consume(.after) {
        repeat { step.predecessors.append(try label()) } while consumeComma()
      } else if step.options.isEmpty, consume(.with) {
        repeat { step.options.append(try option()) } while consumeComma()
      } else {
        break
      }
    }
    step.range = SourceRange(step.range.start, consumedEnd)
  }

  private mutating func option() throws(SyntaxFailure) -> OptionSyntax {
    let name = try name("an option’s name")
    guard consume(.colon) else {
      throw unexpected("“:” after the option’s name", hint: "with \(name.text): value")
    }
    let value = try value()
    return OptionSyntax(name: name, value: value, range: name.range.joined(with: value.range))
  }

  /// Moves to the bracket that closes the innermost list.
  private mutating func skipRestOfList() {
    while token.kind != .end {
      recover(insideList: true)
      if closesList { return }
      advance()
    }
  }

  // MARK: - Ends of lists

  private mutating func closeList(
    _ list: OpenList
  ) -> (owner: StepHead, syntax: ExpressionSyntax) {
    if token.kind != list.opener.closer {
      add(wrongCloser(at: token.range, of: list.opener.range))
    }
    advance()
    let syntax = ListSyntax(
      steps: list.steps, range: SourceRange(list.opener.range.start, consumedEnd))
    guard let callee = list.owner.callee else { return (list.owner, .list(syntax)) }
    let body: CallSyntax.Body =
      list.opener.kind == .openBrace ? .block(syntax) : .list(syntax)
    return (list.owner, .call(call(list.owner, callee: callee, body: body)))
  }
}
