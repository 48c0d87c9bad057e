public import AsyncPatterns
public import PlaygroundLanguage

extension Literal {
  /// The literal as a value. A percentage becomes a fraction.
  public var asValue: AsyncPatterns.Value {
    switch value {
    case .duration(let nanoseconds): .duration(.nanoseconds(nanoseconds))
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .string(let string): .string(string)
    case .size(let width, let height): .size(width, height)
    case .percent(let percent): .real(percent / 100)
    case .curve(let x1, let y1, let x2, let y2): .curve(x1, y1, x2, y2)
    case .boolean(let bool): .bool(bool)
    }
  }
}

extension ValueSyntax {
  /// The literal's value, or the word as a string.
  public var asValue: AsyncPatterns.Value {
    switch self {
    case .literal(let literal): literal.asValue
    case .word(let word): .string(word.text)
    }
  }
}
