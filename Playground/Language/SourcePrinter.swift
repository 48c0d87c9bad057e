/// Writes syntax as normalised text on one line: the name of a run.
///
/// Comments are gone, blanks are single, steps stand between `; `; literals stay as they were
/// written. Reading the text again gives syntax that is written the same.
public struct SourcePrinter: Sendable {
  private let source: Source
  private let limit: Int

  /// A printer for syntax that was read from `source`.
  ///
  /// What goes on after `limit` bytes is cut off and shown as `…`.
  public init(_ source: Source, limit: Int = .max) {
    self.source = source
    self.limit = limit
  }

  /// An expression's text.
  ///
  /// - Complexity: O(length of the text), or of the limit.
  public func text(_ expression: ExpressionSyntax) -> String {
    var text = ""
    write(expression, to: &text)
    return isFull(text) ? shortened(text) : text
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

  private func write(_ expression: ExpressionSyntax, to text: inout String) {
    switch expression {
    case .call(let call): write(call, to: &text)
    case .list(let list): write(list, "[", "]", to: &text)
    }
  }

  private func write(_ call: CallSyntax, to text: inout String) {
    text += call.callee.text
    if !call.arguments.isEmpty {
      text += "("
      for (index, argument) in call.arguments.enumerated() {
        if index > 0 { text += ", " }
        if let name = argument.name { text += name.text + ": " }
        text += written(argument.value)
      }
      text += ")"
    } else if case .curve = call.literals.first?.value {
      // Without its empty parentheses the curve would be read as arguments.
      text += "()"
    }
    for literal in call.literals { text += " " + written(.literal(literal)) }
    switch call.body {
    case .none: break
    case .name(let name): text += " " + name.text
    case .block(let list):
      text += " "
      write(list, "{", "}", to: &text)
    case .list(let list):
      text += " "
      write(list, "[", "]", to: &text)
    }
  }

  private func write(_ list: ListSyntax, _ open: String, _ close: String, to text: inout String) {
    text += open
    for (index, step) in list.steps.enumerated() {
      if isFull(text) { return }
      text += index > 0 ? "; " : " "
      write(step, to: &text)
    }
    text += " " + close
  }

  private func write(_ step: StepSyntax, to text: inout String) {
    if let label = step.label { text += source.text(label.range) + ": " }
    if let count = step.count { text += "\(count.value) * " }
    write(step.expression, to: &text)
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
        // By text: rounding would need the mathematics library.
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
      }
      return "(" + numbers.joined(separator: ", ") + ")"
    }
  }
}
