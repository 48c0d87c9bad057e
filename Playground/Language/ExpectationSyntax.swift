/// An expectation, the argument of `expect`.
public struct ExpectationSyntax: Sendable, Hashable {
  /// Quantities of the last run.
  public enum Quantity: String, Sendable, CaseIterable {
    case makespan, work, blocked, concurrency, threads, outcome, value, lints
  }
  /// Quantities of one step of the last run.
  public enum StepQuantity: String, Sendable, CaseIterable { case count, started, finished }

  /// An operator and its right side.
  public struct Condition: Sendable, Hashable {
    /// The operator.
    public var comparison: ComparisonOperator
    /// The value on the right side.
    public var value: ExpectedValueSyntax
    /// With how many decimals the value is written, if it is a number with a point: 3 for `0.667`.
    public var decimals: Int?
  }

  /// The forms of an expectation.
  public enum Kind: Sendable, Hashable {
    case quantity(Quantity, Condition)
    /// `order a, b, c`: the steps finished in this order.
    case order([StepPathSyntax])
    /// `critical a, c`.
    case critical([StepPathSyntax])
    /// `count L == 2`. `started L` without a condition expects that the step started.
    case step(StepQuantity, StepPathSyntax, Condition?)
    /// `ratio NAME < 1.2`.
    case ratio(ComparedNameSyntax, Condition)
    /// `verdict NAME == faster`.
    case verdict(ComparedNameSyntax, Condition)
    case violations(Condition)
  }

  /// The kind of the expectation and its arguments.
  public var kind: Kind
  /// The text after `expect`, with each run of whitespace outside strings replaced by one space.
  public var text: String
  /// The range in the source, including `expect`.
  public var range: SourceRange
}

/// The operator of a comparison.
public enum ComparisonOperator: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

/// The value on the right side of a comparison.
public enum ExpectedValueSyntax: Sendable, Hashable {
  case literal(Literal)
  /// `success`, `none`, a lint rule or a verdict.
  case word(NameSyntax)
  /// `[1, 2]`.
  case list([ExpectedValueSyntax], range: SourceRange)

  /// The range in the source.
  public var range: SourceRange {
    switch self {
    case .literal(let literal): literal.range
    case .word(let word): word.range
    case .list(_, let range): range
    }
  }
}

/// A step's label, or a path to the step: `job/fetch`.
public struct StepPathSyntax: Sendable, Hashable {
  /// The labels, outermost first; at least one.
  public var components: [LabelSyntax]
  /// The range in the source.
  public var range: SourceRange

  /// The labels separated by slashes.
  public var text: String { components.map(\.text).joined(separator: "/") }
}

/// The name of a row of a comparison.
public struct ComparedNameSyntax: Sendable, Hashable {
  /// A call in its normal form, such as `bounded(2)`, or the text in quotes.
  public var text: String
  /// Whether it was written in quotes.
  public var isQuoted: Bool
  /// The range in the source.
  public var range: SourceRange
}
