extension Parser {
  /// Parses an expectation. Its `expect`, at `start`, has already been consumed.
  mutating func expectation(from start: Int) throws(SyntaxFailure) -> ExpectationSyntax {
    let textStart = token.range.start
    let kind = try expectationKind()
    return ExpectationSyntax(
      kind: kind, text: source.collapsedText(SourceRange(textStart, consumedEnd)),
      range: SourceRange(start, consumedEnd))
  }

  private mutating func expectationKind() throws(SyntaxFailure) -> ExpectationSyntax.Kind {
    guard token.kind == .name else {
      throw unexpected("a quantity", hint: "for instance: expect makespan < 40ms")
    }
    let word = source.text(token.range)
    if let quantity = ExpectationSyntax.Quantity(rawValue: word) {
      advance()
      return .quantity(quantity, try condition())
    }
    if let quantity = ExpectationSyntax.StepQuantity(rawValue: word) {
      advance()
      let path = try stepPath()
      return .step(quantity, path, comparisonOperator == nil ? nil : try condition())
    }
    switch word {
    case "order":
      advance()
      return .order(try stepPaths())
    case "critical":
      advance()
      return .critical(try stepPaths())
    case "ratio":
      advance()
      return .ratio(try comparedName(), try condition())
    case "verdict":
      advance()
      return .verdict(try comparedName(), try condition())
    case "violations":
      advance()
      return .violations(try condition())
    default:
      add(
        Diagnostic(
          "“\(shown(token))” cannot be expected", at: token.range, in: source, unknown: word,
          among: ExpectationSyntax.subjects,
          otherwise: "what can be expected: " + ExpectationSyntax.subjects.joined(separator: ", ")))
      throw SyntaxFailure()
    }
  }

  /// Parses a label, or labels separated by slashes.
  mutating func stepPath() throws(SyntaxFailure) -> StepPathSyntax {
    let start = token.range.start
    var components = [try label("a step’s label")]
    while consume(.slash) { components.append(try label()) }
    return StepPathSyntax(components: components, range: SourceRange(start, consumedEnd))
  }

  private mutating func stepPaths() throws(SyntaxFailure) -> [StepPathSyntax] {
    var paths = [try stepPath()]
    while consumeComma() { paths.append(try stepPath()) }
    return paths
  }

  private mutating func comparedName() throws(SyntaxFailure) -> ComparedNameSyntax {
    let range = token.range
    if token.kind == .string {
      return ComparedNameSyntax(text: try string(), isQuoted: true, range: range)
    }
    let call = try bodilessCall("the name of something compared")
    return ComparedNameSyntax(
      text: SourcePrinter(source).text(.call(call)), isQuoted: false, range: call.range)
  }

  private var comparisonOperator: ComparisonOperator? {
    switch token.kind {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: nil
    }
  }

  private mutating func condition() throws(SyntaxFailure) -> ExpectationSyntax.Condition {
    guard let comparison = comparisonOperator else {
      throw unexpected(
        "a comparison",
        hint: token.kind == .assign ? "“==” compares" : "it is one of: == != < <= > >=")
    }
    advance()
    let value = try expectedValue()
    return ExpectationSyntax.Condition(
      comparison: comparison, value: value, decimals: source.decimals(of: value))
  }

  /// Parses a value or a list of values. Open lists are kept in an array, so nesting uses no call stack.
  private mutating func expectedValue() throws(SyntaxFailure) -> ExpectedValueSyntax {
    var open: [(start: Int, values: [ExpectedValueSyntax])] = []
    while true {
      var finished: ExpectedValueSyntax
      if token.kind == .openBracket {
        guard open.count < Self.deepestNesting else {
          throw fail("lists are nested more than \(Self.deepestNesting) deep")
        }
        open.append((token.range.start, []))
        advance()
        skipNewlines()
        guard token.kind == .closeBracket else { continue }
        finished = closeValues(&open)
      } else {
        finished =
          switch try value("a value") {
          case .literal(let literal): .literal(literal)
          case .word(let word): .word(word)
          }
      }
      while true {
        if open.isEmpty { return finished }
        open[open.count - 1].values.append(finished)
        skipNewlines()
        if token.kind == .closeBracket {
          finished = closeValues(&open)
          continue
        }
        guard consumeComma() else { throw unexpected("“,” or “]”") }
        break
      }
    }
  }

  private mutating func closeValues(
    _ open: inout [(start: Int, values: [ExpectedValueSyntax])]
  ) -> ExpectedValueSyntax {
    advance()
    let list = open.removeLast()
    return .list(list.values, range: SourceRange(list.start, consumedEnd))
  }
}

extension ExpectationSyntax {
  /// The words that can start an expectation.
  public static let subjects = subjectsOfRuns + ["ratio", "verdict", "violations"]

  /// The words that can start an expectation about a single run.
  static let subjectsOfRuns =
    Quantity.allCases.map(\.rawValue) + StepQuantity.allCases.map(\.rawValue)
    + ["order", "critical"]
}

extension Source {
  fileprivate func decimals(of value: ExpectedValueSyntax) -> Int? {
    guard case .literal(let literal) = value, case .real = literal.value else { return nil }
    let digits = text(literal.range).drop { $0 != "." }.dropFirst()
    // An exponent would move the point.
    return digits.allSatisfy(\.isNumber) ? digits.count : nil
  }

  /// The text of a range with each run of blanks, newlines and comments outside strings replaced by one space.
  func collapsedText(_ range: SourceRange) -> String {
    var result: [UInt8] = []
    var index = range.start
    var isInString = false
    while index < range.end {
      let byte = bytes[index]
      if isInString {
        result.append(byte)
        if byte == UInt8(ascii: "\\"), index + 1 < range.end {
          index += 1
          result.append(bytes[index])
        }
        isInString = byte != UInt8(ascii: "\"")
      } else if byte == UInt8(ascii: "#") {
        while index + 1 < range.end, bytes[index + 1] != UInt8(ascii: "\n") { index += 1 }
      } else if byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) {
        if result.last != UInt8(ascii: " ") { result.append(UInt8(ascii: " ")) }
      } else {
        isInString = byte == UInt8(ascii: "\"")
        result.append(byte)
      }
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }
}
