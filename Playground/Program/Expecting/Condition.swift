import AsyncPatterns
import Composing
import Foundation
import PlaygroundLanguage

extension ExpectationSyntax.Condition {
  /// Whether a duration meets the condition. It is shown to the nanosecond if it would otherwise look like the expected
  /// one.
  func holds(forNanoseconds nanoseconds: Int64) -> Verdict {
    let shown = nanoseconds.durationText
    let verdict = holds(for: .duration(.nanoseconds(nanoseconds)), shown: shown)
    guard !verdict.passed, case .literal(let literal) = value,
      case .duration(let expected) = literal.value, expected != nanoseconds,
      expected.durationText == shown
    else { return verdict }
    return Verdict(passed: false, actual: "\(nanoseconds)ns")
  }

  /// Whether a ratio meets the condition. “==” and “!=” round it to the decimals that are written.
  ///
  /// It is shown with one more decimal, otherwise with three, or with as many as a reader needs to check the verdict.
  func holds(forRatio ratio: Double) -> Verdict {
    let isRounded = comparison == .equal || comparison == .notEqual
    let written = isRounded ? decimals.map { min($0, Self.mostDecimals - 1) } : nil
    func passes(_ ratio: Double) -> Bool {
      holds(for: .real(written.flatMap { Double(Self.fixed(ratio, $0)) } ?? ratio)).passed
    }
    let passed = passes(ratio)
    let shown = (written.map { $0 + 1 } ?? 3)...Self.mostDecimals
    let texts = shown.lazy.map { Self.fixed(ratio, $0) }
    let text = texts.first { passes(Double($0) ?? ratio) == passed }
    return Verdict(passed: passed, actual: text ?? "\(ratio)")
  }

  /// More decimals say nothing about a `Double` of that size.
  private static let mostDecimals = 17

  private static func fixed(_ number: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", number)
  }

  /// Whether a value meets the condition. All values can be equal. Numbers, durations and strings have an order, each
  /// among themselves.
  func holds(for actual: Value, shown: String? = nil) -> Verdict {
    let expected = value.asValue
    let order = Self.order(of: actual, and: expected)
    let passed =
      switch comparison {
      case .equal: order == 0 || actual == expected
      case .notEqual: order != 0 && actual != expected
      case .less: order.map { $0 < 0 } ?? false
      case .lessOrEqual: order.map { $0 <= 0 } ?? false
      case .greater: order.map { $0 > 0 } ?? false
      case .greaterOrEqual: order.map { $0 >= 0 } ?? false
      }
    return Verdict(passed: passed, actual: shown ?? actual.shownPlainly)
  }

  private static func order(of left: Value, and right: Value) -> Int? {
    if case (.string(let left), .string(let right)) = (left, right) { return order(left, right) }
    guard let first = left.magnitude, let second = right.magnitude,
      left.isDuration == right.isDuration || first == 0 || second == 0
    else { return nil }
    return order(first, second)
  }

  private static func order<Key: Comparable>(_ left: Key, _ right: Key) -> Int {
    left < right ? -1 : left > right ? 1 : 0
  }
}

extension Value {
  fileprivate var isDuration: Bool { if case .duration = self { true } else { false } }

  /// The number by which numbers and durations are ordered. A zero needs no unit.
  fileprivate var magnitude: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .duration(let duration): Double(duration.wholeNanoseconds)
    default: nil
    }
  }

  /// The value as text: a string without quotation marks, any other value as the language writes it.
  fileprivate var shownPlainly: String {
    if case .string(let string) = self { string } else { description }
  }
}

extension ExpectedValueSyntax {
  /// The value that is written. The word `none` stands for no value.
  var asValue: Value {
    switch self {
    case .literal(let literal): literal.asValue
    case .word(let word): word.text == "none" ? .none : .string(word.text)
    case .list(let values, _): .list(values.map(\.asValue))
    }
  }
}
