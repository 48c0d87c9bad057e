/// Prints syntax as normalized text on one line, for the name of a run.
///
/// Comments are removed, blanks are reduced to one, and steps are separated by `; `. Literals are kept as written.
/// Parsing the text again gives syntax that prints as the same text.
public struct SourcePrinter: Sendable {
  private let source: Source
  private let limit: Int
  /// Whether Swift code keeps its line ends. Otherwise it is on one line, and may then mean something else.
  private let keepsLines: Bool

  /// Creates a printer for syntax that was parsed from `source`.
  ///
  /// Text after `limit` bytes is replaced with `…`.
  public init(_ source: Source, limit: Int = .max, keepsLines: Bool = false) {
    self.source = source
    self.limit = limit
    self.keepsLines = keepsLines
  }

  /// The text of an expression.
  ///
  /// Nested lists use no call stack, at any depth.
  ///
  /// - Complexity: O(length of the text), or O(limit) if that is less.
  public func text(_ expression: ExpressionSyntax) -> String {
    var text = ""
    var open: [OpenList] = []
    writeHead(expression, to: &text, opening: &open)
    while let list = open.last, !isFull(text) {
      guard list.next < list.syntax.steps.count else {
        text += " " + list.closer
        open.removeLast()
        // The closed list belongs to a step of the outer list.
        if let around = open.last { writeTail(around.syntax.steps[around.next - 1], to: &text) }
        continue
      }
      let step = list.syntax.steps[list.next]
      open[open.count - 1].next += 1
      text += list.next > 0 ? "; " : " "
      if let label = step.label { text += source.text(label.range) + ": " }
      if let count = step.count { text += "\(count.value) * " }
      let depth = open.count
      writeHead(step.expression, to: &text, opening: &open)
      if open.count == depth { writeTail(step, to: &text) }
    }
    return isFull(text) ? shortened(text) : text
  }

  /// A list that is being printed.
  private struct OpenList {
    var syntax: ListSyntax
    var closer: String
    var next = 0
  }

  private func isFull(_ text: String) -> Bool { text.utf8.count > limit }

  private func shortened(_ text: String) -> String {
    var result = ""
    var length = 0
    for character in text {
      length += character.utf8.count
      if length > limit { break }
      result.append(character)
    }
    return result + "…"
  }

  /// Prints an expression up to its steps, if there are any, and opens their list.
  private func writeHead(
    _ expression: ExpressionSyntax, to text: inout String, opening open: inout [OpenList]
  ) {
    switch expression {
    case .list(let list):
      text += "["
      open.append(OpenList(syntax: list, closer: "]"))
    case .call(let call):
      writeHead(call, to: &text)
      switch call.body {
      case .none: break
      case .name(let name): text += " " + name.text
      case .swift(let swift): text += " {" + code(swift) + "}"
      case .block(let list):
        text += " {"
        open.append(OpenList(syntax: list, closer: "}"))
      case .list(let list):
        text += " ["
        open.append(OpenList(syntax: list, closer: "]"))
      }
    }
  }

  private func writeHead(_ call: CallSyntax, to text: inout String) {
    text += call.callee.text
    if !call.arguments.isEmpty {
      let arguments = call.arguments.map { argument in
        (argument.name.map { $0.text + ": " } ?? "") + written(argument.value)
      }
      text += "(" + arguments.joined(separator: ", ") + ")"
    } else if case .curve = call.literals.first?.value {
      // Without empty parentheses, the curve would be parsed as arguments.
      text += "()"
    }
    for literal in call.literals { text += " " + written(.literal(literal)) }
  }

  private func code(_ swift: SwiftSyntax) -> String {
    let code = source.text(swift.range)
    if keepsLines { return code }
    let words = code.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? " " : " \(words) "
  }

  private func writeTail(_ step: StepSyntax, to text: inout String) {
    if !step.predecessors.isEmpty {
      text += " after " + step.predecessors.map { source.text($0.range) }.joined(separator: ", ")
    }
    if !step.options.isEmpty {
      let options = step.options.map { "\($0.name.text): \(written($0.value))" }
      text += " with " + options.joined(separator: ", ")
    }
  }

  private func written(_ value: ValueSyntax) -> String {
    switch value {
    case .word(let word): return word.text
    case .literal(let literal):
      guard case .curve(let x1, let y1, let x2, let y2) = literal.value else {
        return source.text(literal.range)
      }
      let numbers = [x1, y1, x2, y2].map { number in
        // Removes “.0” from the text, since rounding the number would need the math library.
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
      }
      return "(" + numbers.joined(separator: ", ") + ")"
    }
  }
}
