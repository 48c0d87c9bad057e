/// What an `expect` says.
public struct ExpectationSyntax: Sendable, Hashable {
  /// Figures of the last run.
  public enum Quantity: String, Sendable, CaseIterable {
    case makespan, work, blocked, concurrency, threads, outcome, value, lints
  }
  /// Figures of one step of the last run.
  public enum StepQuantity: String, Sendable, CaseIterable { case count, started, finished }

  /// An operator and what stands right of it.
  public struct Condition: Sendable, Hashable {
    /// The operator.
    public var comparison: ComparisonOperator
    /// What is compared with.
    public var value: ExpectedValueSyntax
  }

  /// The forms of an expectation.
  public enum Kind: Sendable, Hashable {
    case quantity(Quantity, Condition)
    /// `order a, b, c`: these finished in this order.
    case order([StepPathSyntax])
    /// `critical a, c`
    case critical([StepPathSyntax])
    /// `count L == 2`; `started L` alone says that it did start.
    case step(StepQuantity, StepPathSyntax, Condition?)
    /// `ratio NAME < 1.2`
    case ratio(ComparedNameSyntax, Condition)
    /// `verdict NAME == faster`
    case verdict(ComparedNameSyntax, Condition)
    case violations(Condition)
  }

  /// What it says.
  public var kind: Kind
  /// What was written behind `expect`, with each blank stretch made one space.
  public var text: String
  /// Where it stands, `expect` included.
  public var range: SourceRange
}

/// A comparison's operator.
public enum ComparisonOperator: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

/// What an expectation compares with.
public enum ExpectedValueSyntax: Sendable, Hashable {
  case literal(Literal)
  /// `success`, `none`, a lint's rule, a verdict.
  case word(NameSyntax)
  /// `[1, 2]`
  case list([ExpectedValueSyntax], range: SourceRange)

  /// Where it stands.
  public var range: SourceRange {
    switch self {
    case .literal(let literal): literal.range
    case .word(let word): word.range
    case .list(_, let range): range
    }
  }
}

/// A step's label, or the path to it: `job/fetch`.
public struct StepPathSyntax: Sendable, Hashable {
  /// The labels from the outermost; at least one.
  public var components: [LabelSyntax]
  /// Where it stands.
  public var range: SourceRange

  /// The labels joined by slashes.
  public var text: String { components.map(\.text).joined(separator: "/") }
}

/// The name of a row of a comparison.
public struct ComparedNameSyntax: Sendable, Hashable {
  /// A call in its normal form, as `bounded(2)`; or the text that stood in quotes.
  public var text: String
  /// Whether it was written in quotes.
  public var isQuoted: Bool
  /// Where it stands.
  public var range: SourceRange
}
