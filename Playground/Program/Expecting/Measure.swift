import PlaygroundLanguage
import TimingTrace

/// The kind of value that a quantity has. It determines which conditions make sense.
enum Measure {
  case duration
  case count
  case number
  /// One of these words.
  case word([String])
  case countOrWord
  case anything

  /// Why the condition makes no sense for the measure, as the rest of a sentence. Nil if it does make sense.
  func mistake(in condition: ExpectationSyntax.Condition) -> String? {
    switch (self, condition.value) {
    case (.anything, _): return nil
    case (.duration, .literal(let literal)):
      // Zero needs no unit.
      switch literal.value {
      case .duration, .integer(0): return nil
      default: return "is a duration"
      }
    case (.duration, _): return "is a duration"
    case (.count, .literal(let literal)):
      if case .integer = literal.value { return nil }
      return "is a whole number"
    case (.countOrWord, .literal(let literal)):
      if case .integer = literal.value { return nil }
      return "is a whole number, none or the name of a rule, without quotation marks"
    case (.count, _): return "is a whole number"
    case (.number, .literal(let literal)):
      switch literal.value {
      case .integer, .real: return nil
      default: return "is a number"
      }
    case (.number, _): return "is a number"
    case (.word(let words), _) where words.contains(condition.value.text):
      return Self.orderMistake(condition)
    case (.word(let words), _): return "is one of: \(words.joined(separator: ", "))"
    case (.countOrWord, .word): return Self.orderMistake(condition)
    case (.countOrWord, .list): return "is a whole number, none or the name of a rule"
    }
  }

  private static func orderMistake(_ condition: ExpectationSyntax.Condition) -> String? {
    switch condition.comparison {
    case .equal, .notEqual: nil
    default: "has no order; compare it with “==” or “!=”"
    }
  }

  /// An example of a condition that makes sense.
  var example: String {
    switch self {
    case .duration: "< 40ms"
    case .count, .anything: "== 1"
    case .number: "< 1"
    case .word(let words): "== \(words.first ?? "")"
    case .countOrWord: "== none"
    }
  }
}

extension ExpectedValueSyntax {
  /// The word, with or without quotation marks. Empty if it is not a word.
  fileprivate var text: String {
    switch self {
    case .word(let word): return word.text
    case .literal(let literal):
      if case .string(let string) = literal.value { return string }
      return ""
    case .list: return ""
    }
  }
}

extension ExpectationSyntax.Quantity {
  var measure: Measure {
    switch self {
    case .makespan, .work, .blocked: .duration
    case .concurrency, .threads: .count
    case .outcome: .word(RunRecord.Outcome.allCases.map(\.rawValue))
    case .value: .anything
    case .lints: .countOrWord
    }
  }
}

extension ExpectationSyntax.StepQuantity {
  var measure: Measure {
    switch self {
    case .count: .count
    case .started, .finished: .duration
    }
  }
}
