import SwiftScanning

extension CompletionScan {
  typealias Place = (kind: CompletionContext.Kind, keywords: [String])

  /// The item that can follow the text written so far.
  var place: Place {
    let frame = frames[frames.count - 1]
    let pieces = frame.pieces
    switch frame.opener {
    case .openParenthesis:
      guard let callee = frame.callee else { return (.nothing, []) }
      let argument = pieces.sinceComma
      if argument.isEmpty {
        return (.argumentName(callee: callee, given: pieces.namesBeforeColons), [])
      }
      guard let name = argument.nameOfMissingValue else { return (.nothing, []) }
      return (.argumentValue(callee: callee, argument: name), [])
    case .end: return statement(pieces)
    default:
      if frame.isChecking {
        if pieces.isEmpty { return (.nothing, ["expect"]) }
        guard pieces[0].keyword == .expect else { return (.nothing, []) }
        return expectation(rest(pieces), among: ExpectationSyntax.subjectsOfRuns)
      }
      return step(pieces.withoutLabelAndCount, labels: frame.labels)
    }
  }

  private func rest(_ pieces: [Piece]) -> [Piece] { Array(pieces.dropFirst()) }

  // MARK: - Steps and calls

  private func step(_ pieces: [Piece], labels: [String]) -> Place {
    if pieces.isEmpty { return (.expression, []) }
    let missing = [Keyword.after, .with].filter { word in !pieces.contains { $0.keyword == word } }
      .map(\.rawValue)
    guard let clause = pieces.lastIndex(where: { $0.keyword == .after || $0.keyword == .with })
    else { return call(pieces, keywords: missing) }
    let words = Array(pieces[(clause + 1)...])
    let last = words.sinceComma
    if pieces[clause].keyword == .after {
      return last.isEmpty ? (.label(labels), []) : (.nothing, missing)
    }
    if last.isEmpty {
      return (.stepOptionName(pattern: pattern, given: words.namesBeforeColons), [])
    }
    if let option = last.nameOfMissingValue {
      return (.stepOptionValue(pattern: pattern, option: option), [])
    }
    return (.nothing, last.count == 1 ? [] : missing)
  }

  private func call(_ pieces: [Piece], keywords: [String]) -> Place {
    guard pieces[0].kind == .name else { return (.nothing, keywords) }
    if pieces.count == 1, pieces[0].text == Parser.swift {
      // A declaration is a statement.
      return (.nothing, frames.count == 1 ? SwiftDeclaration.kinds.sorted() : keywords)
    }
    let hasBody = pieces.dropFirst().contains {
      $0.kind == .name || $0.kind == .closeBrace || $0.kind == .closeBracket
    }
    return (hasBody ? .nothing : .body(callee: pieces[0].text), keywords)
  }

  // MARK: - Statements

  private func statement(_ pieces: [Piece]) -> Place {
    guard let first = pieces.first else {
      return (.statement, Keyword.commands.map(\.rawValue) + CommandName.allCases.map(\.rawValue))
    }
    if first.text == "!" { return (.file, []) }
    if first.text == "?" { return (.helpTopic(after: rest(pieces).map(\.text)), []) }
    if let keyword = first.keyword { return command(keyword, rest(pieces)) }
    if pieces.count == 1, first.text == CommandName.save.rawValue { return (.file, []) }
    if pieces.count == 1, first.text == CommandName.edit.rawValue { return (.definition, []) }
    if pieces.count >= 2, pieces[1].kind == .assign {
      let bound = Array(pieces.dropFirst(2))
      return bound.isEmpty ? (.expression, []) : call(bound, keywords: [])
    }
    return call(pieces, keywords: [])
  }

  private func command(_ keyword: Keyword, _ words: [Piece]) -> Place {
    switch keyword {
    case .load: (.plugin, [])
    case .unload, .reload: (.loadedPlugin, [])
    case .help: (.helpTopic(after: words.map(\.text)), [])
    case .source: (words.isEmpty ? .file : .nothing, [])
    case .run: words.isEmpty ? (.expression, []) : call(words, keywords: [])
    case .show:
      switch words.last {
      case nil: (.runNumber, ["all", "lanes", "save"])
      case let last? where last.text == "save": (.file, [])
      default:
        (
          .nothing,
          words.count == 1 && !["all", "lanes"].contains(words[0].text)
            ? ["all", "lanes", "save"] : []
        )
      }
    case .wait, .cancel: (.jobNumber, [])
    case .compare: comparison(words)
    case .expect: expectation(words)
    case .explore: exploration(words)
    case .simulate: simulation(words)
    case .trace: trace(words)
    case .set:
      switch words.count {
      case 0: (.settingName, [])
      case 1: (.settingValue(of: words[0].text), [])
      default: (.nothing, [])
      }
    default: (.nothing, [])
    }
  }

  private func comparison(_ words: [Piece]) -> Place {
    guard let first = words.first else { return (.list, [Keyword.runs.rawValue]) }
    if first.keyword == .runs { return (.runNumber, []) }
    guard let under = words.firstIndex(where: { $0.keyword == .under }) else {
      return (.nothing, [Keyword.under.rawValue])
    }
    let patterns = Array(words[(under + 1)...])
    if patterns.sinceComma.isEmpty { return (.pattern, []) }
    let hasRuns = patterns.contains { $0.keyword == .runs }
    return (.nothing, hasRuns ? [] : [Keyword.runs.rawValue])
  }

  private func exploration(_ words: [Piece]) -> Place {
    if words.isEmpty { return (.expression, []) }
    let clauses: [Keyword] = [.runs, .strategy, .depth, .inject, .checking]
    let missing = clauses.filter { clause in !words.contains { $0.keyword == clause } }
      .map(\.rawValue)
    guard let clause = words.lastIndex(where: { $0.keyword.map(clauses.contains) ?? false }) else {
      return call(words, keywords: missing)
    }
    if clause < words.count - 1 { return (.nothing, missing) }
    switch words[clause].keyword {
    case .strategy: return (.nothing, ExplorationSyntax.Strategy.allCases.map(\.rawValue))
    case .inject: return (.nothing, ExplorationSyntax.Injection.allCases.map(\.rawValue))
    case .runs: return (.nothing, ["exactly"])
    default: return (.nothing, [])
    }
  }

  private func simulation(_ words: [Piece]) -> Place {
    if words.isEmpty { return (.file, []) }
    if words.count == 1 { return (.nothing, [Keyword.with.rawValue]) }
    let change = words.sinceComma
    if words[1].keyword == .with, change.isEmpty || change.last?.keyword == .with {
      return (.stepPath(parent: []), ["workers", "seed"])
    }
    return (.nothing, [])
  }

  private func trace(_ words: [Piece]) -> Place {
    guard let subcommand = words.first else {
      return (.nothing, TraceSubcommand.allCases.map(\.rawValue))
    }
    if words.last?.text == "--format" { return (.traceFormat, []) }
    if words.last?.text == "--run" { return (.runNumber, []) }
    if words.last?.text == "--step" || subcommand.text == TraceSubcommand.why.rawValue {
      return (.stepPath(parent: []), [])
    }
    let options: [String] =
      switch TraceSubcommand(rawValue: subcommand.text) {
      case .show: ["--run", "--step", "--lanes", "--follow"]
      case .why, .analyse, .lint: ["--run"]
      case .export: ["--format"]
      case .save, .import, nil: []
      }
    return (.traceWord(subcommand: subcommand.text), options)
  }

  // MARK: - Expectations

  private func expectation(
    _ words: [Piece], among subjects: [String] = ExpectationSyntax.subjects
  ) -> Place {
    guard let subject = words.first else { return (.nothing, subjects) }
    let behind = rest(words)
    if behind.last?.isComparison == true { return (.expectedValue(of: subject.text), []) }
    switch subject.text {
    case "count", "started", "finished", "order", "critical":
      let path = subject.text == "order" || subject.text == "critical" ? behind.sinceComma : behind
      guard path.isEmpty || path.last?.kind == .slash else { return (.nothing, []) }
      return (.stepPath(parent: path.filter { $0.kind != .slash }.map(\.unquoted)), [])
    case "ratio", "verdict": return (behind.isEmpty ? .comparedName : .nothing, [])
    default: return (.nothing, [])
    }
  }
}

extension CompletionScan.Piece {
  fileprivate var isComparison: Bool {
    switch kind {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  /// The text of a label without quotes.
  fileprivate var unquoted: String {
    kind == .string ? String(text.dropFirst().dropLast()) : text
  }
}
