extension Parser {
  /// Parses a command. The current token is its command word.
  mutating func command() throws(SyntaxFailure) -> CommandSyntax {
    let word = token
    let keyword = NameSyntax(text: source.text(word.range), range: word.range)
    let kind = try commandKind(word.keyword!)
    return CommandSyntax(
      kind: kind, keyword: keyword, range: SourceRange(word.range.start, consumedEnd))
  }

  /// Parses a command whose word is also an ordinary name. Nil if the statement is something else.
  mutating func commandOfName() throws(SyntaxFailure) -> CommandSyntax? {
    guard let name = CommandName(rawValue: source.text(token.range)) else { return nil }
    let (next, _) = lexer.lookahead()
    let isAlone = next == 0 || next == UInt8(ascii: "\n") || next == UInt8(ascii: ";")
    let isNumbered = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
    let takesWord = (name == .save || name == .edit) && !"={[(:?&".utf8.contains(next)
    guard isAlone || name == .lesson && isNumbered || takesWord else { return nil }
    let keyword = NameSyntax(text: source.text(token.range), range: token.range)
    if !takesWord { advance() }
    let kind: CommandSyntax.Kind =
      switch name {
      case .exit, .q: .quit
      case .history: .history
      case .lessons: .lessons
      case .lesson: .lesson(try lesson())
      case .save: .save(try words(atMostOne: "one file").first)
      case .edit: .edit(try words(atMostOne: "one name").first)
      }
    return CommandSyntax(
      kind: kind, keyword: keyword, range: SourceRange(keyword.range.start, consumedEnd))
  }

  private mutating func lesson() throws(SyntaxFailure) -> CountSyntax {
    let wanted = "a lesson’s number"
    if endsStatement {
      throw unexpected(wanted, hint: "“lessons” lists them; for instance: lesson 1")
    }
    return try count(wanted, atLeast: 1)
  }

  /// Parses `!COMMAND`. The current token is the exclamation mark.
  mutating func shellCommand() throws(SyntaxFailure) -> CommandSyntax {
    let mark = NameSyntax(text: source.text(token.range), range: token.range)
    advanceToLine()
    var text = source.text(token.range)
    if text.last == "\r" { text.removeLast() }
    advance()
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw fail("a shell command is missing after “!”", at: mark.range, hint: "for instance: !ls")
    }
    return CommandSyntax(
      kind: .shell(text), keyword: mark, range: SourceRange(mark.range.start, consumedEnd))
  }

  /// Parses `?` or `?TOPIC`. The current token is the question mark.
  mutating func help() throws(SyntaxFailure) -> CommandSyntax {
    let mark = NameSyntax(text: source.text(token.range), range: token.range)
    let topic = try topic()
    return CommandSyntax(
      kind: .help(topic), keyword: mark, range: SourceRange(mark.range.start, consumedEnd))
  }

  /// Parses `TOPIC?`. The current token is the question mark.
  mutating func help(about topic: NameSyntax) -> CommandSyntax {
    let mark = NameSyntax(text: source.text(token.range), range: token.range)
    advance()
    return CommandSyntax(
      kind: .help(WordSyntax(text: topic.text, isQuoted: false, range: topic.range)),
      keyword: mark, range: SourceRange(topic.range.start, consumedEnd))
  }

  private mutating func commandKind(
    _ keyword: Keyword
  ) throws(SyntaxFailure) -> CommandSyntax.Kind {
    switch keyword {
    case .load: return .load(try words())
    case .unload: return .unload(try words(atLeastOne: "a plugin’s name"))
    case .reload: return .reload(try words())
    case .help: return .help(try topic())
    case .source: return .source(try words(atLeastOne: "a file", atMostOne: "one file")[0])
    case .trace: return try trace()
    case .simulate: return .simulate(try simulation())
    case .set: return .set(try setting())
    default: advance()
    }
    switch keyword {
    case .plugins: return .plugins
    case .patterns: return .patterns
    case .names: return .names
    case .runs: return .runs
    case .jobs: return .jobs
    case .quit: return .quit
    case .run:
      let expression = try expression()
      return .run(expression, background: consume(.ampersand))
    case .show: return try show()
    case .wait: return .wait(try numbers("a job’s number"))
    case .cancel: return .cancel(try numbers("a job’s number"))
    case .compare: return try comparison()
    case .expect: return .expect(try expectation(from: consumedEnd - 6))
    case .explore: return .explore(try exploration())
    case .replay:
      let range = token.range
      return .replay(
        WordSyntax(text: try string("a schedule in quotes"), isQuoted: true, range: range))
    default: throw unexpected("a command")
    }
  }

  private var endsStatement: Bool { token.isSeparator || token.kind == .end }

  // MARK: - Words

  /// Consumes the current token and reads words up to the end of the statement.
  private mutating func words(
    atLeastOne needed: String? = nil, atMostOne allowed: String? = nil
  ) throws(SyntaxFailure) -> [WordSyntax] {
    advanceToWord()
    var words: [WordSyntax] = []
    if let needed, endsStatement { throw unexpected(needed) }
    while !endsStatement {
      if let allowed, words.count == 1 {
        throw fail(
          "“\(shown(token))” is too much: only \(allowed) is allowed",
          hint: "write a path with spaces in quotes")
      }
      words.append(try word())
    }
    return words
  }

  /// The topic of `help`, which may have several words, such as `critical path`.
  private mutating func topic() throws(SyntaxFailure) -> WordSyntax? {
    let words = try words()
    guard let first = words.first, let last = words.last else { return nil }
    return WordSyntax(
      text: words.map(\.text).joined(separator: " "), isQuoted: first.isQuoted,
      range: SourceRange(first.range.start, last.range.end))
  }

  /// Reads the current token as a word. The text after it is split into words too.
  private mutating func word() throws(SyntaxFailure) -> WordSyntax {
    let range = token.range
    guard token.kind == .string else {
      guard token.kind == .word else { throw unexpected("a word") }
      advanceToWord()
      return WordSyntax(text: source.text(range), isQuoted: false, range: range)
    }
    do {
      let text = try Literal.Value.unescaped(source.bytes[range.start..<range.end], at: range.start)
      advanceToWord()
      return WordSyntax(text: text, isQuoted: true, range: range)
    } catch {
      throw fail(error)
    }
  }

  private mutating func numbers(_ what: String) throws(SyntaxFailure) -> [CountSyntax] {
    var numbers: [CountSyntax] = []
    while !endsStatement {
      numbers.append(try count(what, atLeast: 1))
      if consumeComma(), endsStatement { throw unexpected(what) }
    }
    return numbers
  }

  /// Checks that the current token is one of a few words, and returns it.
  private mutating func choice<Choice>(
    _ what: String, of type: Choice.Type
  ) throws(SyntaxFailure) -> Choice
  where Choice: CaseIterable & RawRepresentable, Choice.RawValue == String {
    let known = Choice.allCases.map(\.rawValue)
    guard token.kind == .name || token.kind == .keyword || token.kind == .word else {
      throw unexpected(what, hint: "it is one of: \(known.joined(separator: ", "))")
    }
    let text = source.text(token.range)
    guard let found = Choice(rawValue: text) else {
      let near = nearest(to: text, among: known)
      throw fail(
        "“\(shown(token))” is not \(what)",
        hint: near.map { "did you mean “\($0)”?" }
          ?? "it is one of: \(known.joined(separator: ", "))")
    }
    return found
  }

  // MARK: - Commands with their own syntax

  private mutating func show() throws(SyntaxFailure) -> CommandSyntax.Kind {
    let number =
      endsStatement || token.kind == .name ? nil : try count("a run’s number", atLeast: 1)
    // `save`, `lanes` and `all` are special only after `show`. Elsewhere they are ordinary names.
    switch token.kind == .name ? source.text(token.range) : "" {
    case "": return .show(number, .timeline)
    case "save":
      let file = try words(atLeastOne: "a file", atMostOne: "one file")[0]
      return .show(number, .picture(file))
    case "lanes":
      advance()
      return .show(number, .lanes)
    case "all":
      advance()
      return .show(number, .allSteps)
    default:
      throw number == nil
        ? unexpected("a run’s number")
        : unexpected("“lanes”, “all”, “save” or nothing", hint: "show 2 lanes")
    }
  }

  private mutating func trace() throws(SyntaxFailure) -> CommandSyntax.Kind {
    advanceToWord()
    let name = NameSyntax(text: source.text(token.range), range: token.range)
    let subcommand = try choice("a subcommand of trace", of: TraceSubcommand.self)
    return .trace(subcommand, name, try words())
  }

  private mutating func simulation() throws(SyntaxFailure) -> SimulationSyntax {
    advanceToWord()
    if endsStatement {
      throw unexpected(
        "a run’s number, or a file of runs,", hint: "for instance: simulate 1 with fetch * 0.5")
    }
    let range = token.range
    let isQuoted = token.kind == .string
    let text = isQuoted ? try string() : source.text(range)
    if !isQuoted {
      guard token.kind == .word else { throw unexpected("a file of runs") }
      advance()
    }
    var simulation = SimulationSyntax(
      file: WordSyntax(text: text, isQuoted: isQuoted, range: range), changes: [])
    if consume(.with) {
      repeat { simulation.changes.append(try change()) } while consumeComma()
    }
    return simulation
  }

  private mutating func change() throws(SyntaxFailure) -> SimulationSyntax.Change {
    let path = try stepPath()
    if consume(.star) {
      let range = token.range
      let factor: Double? =
        switch try literal().value {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
      guard let factor, factor >= 0 else {
        throw fail("a factor must be a number, at least 0", at: range)
      }
      return .scale(path, factor: factor, range: path.range.joined(with: range))
    }
    guard path.components.count == 1, !path.components[0].isQuoted, consume(.assign) else {
      throw unexpected("“*” or “=”", hint: "with fetch * 0.5, workers = 8")
    }
    let value = try value()
    return .set(
      NameSyntax(text: path.text, range: path.range), value,
      range: path.range.joined(with: value.range))
  }

  private mutating func setting() throws(SyntaxFailure) -> SettingSyntax? {
    advance()
    if endsStatement { return nil }
    guard token.kind == .name || token.kind == .keyword else {
      throw unexpected("a setting’s name")
    }
    let name = consumeName()
    if endsStatement { return SettingSyntax(name: name, value: nil) }
    if token.kind == .assign {
      throw superfluous(hint: "a setting’s value follows its name: set clock virtual")
    }
    let value = try value("the value of “\(name.text)”")
    return SettingSyntax(name: name, value: value)
  }

  private mutating func comparison() throws(SyntaxFailure) -> CommandSyntax.Kind {
    if consume(.runs) {
      let numbers = try numbers("a run’s number")
      guard numbers.count > 1 else {
        throw unexpected("a second run’s number", hint: "for instance: compare runs 1, 2")
      }
      return .compareRuns(numbers)
    }
    let list: ExpressionSyntax
    if token.kind == .openBracket {
      list = try expression()
    } else {
      if token.kind == .openBrace || endsStatement {
        throw unexpected("a list", hint: "a list has brackets: compare [ … ] under serial, promise")
      }
      let name = try name("a list")
      if !token.is(.under) {
        throw unexpected(
          "“under”",
          hint: "a comparison needs a list or its name: compare job under serial, promise")
      }
      list = .call(
        CallSyntax(callee: name, arguments: [], literals: [], body: .none, range: name.range))
    }
    guard consume(.under) else { throw unexpected("“under”") }
    skipNewlines()
    var comparison = ComparisonSyntax(list: list, patterns: [])
    repeat {
      comparison.patterns.append(try bodilessCall("a pattern"))
      if token.kind == .openBrace || token.kind == .openBracket {
        throw fail(
          "a compared pattern has no steps of its own: each gets those of the list",
          hint: "compare [ … ] under serial, promise")
      }
      if token.kind == .name {
        throw unexpected("“,”", hint: "compared patterns are separated by “,”")
      }
    } while consumeComma()
    if consume(.runs) { comparison.runs = try count("a number of runs", atLeast: 1) }
    return .compare(comparison)
  }

  private mutating func exploration() throws(SyntaxFailure) -> ExplorationSyntax {
    var exploration = ExplorationSyntax(expression: try expression())
    var seen: Set<Keyword> = []
    while let clause = token.keyword {
      guard [.runs, .strategy, .depth, .inject, .checking].contains(clause) else { break }
      if !seen.insert(clause).inserted {
        throw fail("“\(clause.rawValue)” is given twice")
      }
      advance()
      switch clause {
      case .runs:
        if token.kind == .name, source.text(token.range) == "exactly" {
          advance()
          exploration.isExact = true
        }
        exploration.runs = try count("a number of schedules", atLeast: 1)
      case .depth: exploration.depth = try count("a depth", atLeast: 1)
      case .strategy:
        exploration.strategy = try choice("a strategy", of: ExplorationSyntax.Strategy.self)
        advance()
      case .inject:
        exploration.injection = try choice("what to inject", of: ExplorationSyntax.Injection.self)
        advance()
      default: exploration.expectations = try checkedExpectations()
      }
    }
    return exploration
  }

  private mutating func checkedExpectations() throws(SyntaxFailure) -> [ExpectationSyntax] {
    let opener = token.range
    guard consume(.openBrace) else {
      throw unexpected("“{”", hint: "checking { expect outcome == success }")
    }
    var expectations: [ExpectationSyntax] = []
    while true {
      skipSeparators()
      if consume(.closeBrace) { return expectations }
      if token.kind == .end {
        throw unclosed(opener)
      }
      do {
        let start = token.range.start
        guard consume(.expect) else { throw unexpected("“expect”") }
        expectations.append(try expectation(from: start))
        guard token.isSeparator || token.kind == .closeBrace || token.kind == .end else {
          throw superfluous(hint: "expectations are separated by “;” or by lines")
        }
      } catch {
        recover(insideList: true)
        if token.kind == .closeBracket { advance() }
      }
    }
  }
}
