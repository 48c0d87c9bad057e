/// A script: its statements, in order.
public struct Script: Sendable, Hashable {
  /// The statements that are valid.
  public var statements: [Statement]
}

/// A statement.
public struct Statement: Sendable, Hashable {
  /// The kinds of statements.
  public enum Kind: Sendable, Hashable {
    /// `name = expression`.
    case assignment(NameSyntax, ExpressionSyntax)
    /// `expression` or `expression &`.
    case run(ExpressionSyntax, background: Bool)
    /// A command word and its arguments.
    case command(CommandSyntax)
    /// `swift` and a declaration of Swift.
    case declaration(SwiftSyntax)
  }

  /// The kind of the statement and its parts.
  public var kind: Kind
  /// The range in the source, without the separator.
  public var range: SourceRange
}

/// An expression that can be run or bound: a call, a plain name or a list.
public enum ExpressionSyntax: Sendable, Hashable {
  /// A call. A plain name is a call without arguments and body (``CallSyntax/plainName``).
  case call(CallSyntax)
  /// A list in brackets.
  case list(ListSyntax)

  /// The range in the source.
  public var range: SourceRange {
    switch self {
    case .call(let call): call.range
    case .list(let list): list.range
    }
  }
}

/// A name or a call of a pattern or a step: `graph(width: 2) { … }`, `sleep 20ms`, `serial job`.
public struct CallSyntax: Sendable, Hashable {
  /// The steps that a call passes to a pattern.
  public enum Body: Sendable, Hashable {
    case none
    /// Steps in braces, written in the call.
    case block(ListSyntax)
    /// Steps in brackets.
    case list(ListSyntax)
    /// A named list, or a named step.
    case name(NameSyntax)
    /// Swift in braces. Only the step `swift` has it.
    case swift(SwiftSyntax)
  }

  /// The name of the pattern, step or binding.
  public var callee: NameSyntax
  /// The arguments in parentheses.
  public var arguments: [ArgumentSyntax]
  /// The literals after the name and its parentheses: `20ms` in `sleep 20ms`.
  public var literals: [Literal]
  /// The steps.
  public var body: Body
  /// The range in the source.
  public var range: SourceRange

  /// Creates a call that is only a name.
  public init(_ name: NameSyntax) {
    self.init(callee: name, arguments: [], literals: [], body: .none, range: name.range)
  }

  init(
    callee: NameSyntax, arguments: [ArgumentSyntax], literals: [Literal], body: Body,
    range: SourceRange
  ) {
    self.callee = callee
    self.arguments = arguments
    self.literals = literals
    self.body = body
    self.range = range
  }

  /// The name, if the call is only a name.
  public var plainName: NameSyntax? {
    guard arguments.isEmpty, literals.isEmpty, case .none = body, range == callee.range else {
      return nil
    }
    return callee
  }
}

/// Swift code: the contents of the braces in `swift { … }`, or a declaration.
public struct SwiftSyntax: Sendable, Hashable {
  /// The range in the source, without the braces.
  public var range: SourceRange
}

/// The steps between braces or brackets. The range includes the braces or brackets.
public struct ListSyntax: Sendable, Hashable {
  /// The steps, in order, as written: counts are not expanded.
  public var steps: [StepSyntax]
  /// The range in the source.
  public var range: SourceRange
}

/// `label: count * expression after … with …`.
public struct StepSyntax: Sendable, Hashable {
  /// The label, if it has one.
  public var label: LabelSyntax?
  /// The number of copies, at least 1.
  public var count: CountSyntax?
  /// The expression of the step.
  public var expression: ExpressionSyntax
  /// The labels after `after`.
  public var predecessors: [LabelSyntax]
  /// The options after `with`.
  public var options: [OptionSyntax]
  /// The range in the source.
  public var range: SourceRange
}

/// A whole number that counts something.
public struct CountSyntax: Sendable, Hashable {
  /// The number.
  public var value: Int
  /// The range in the source.
  public var range: SourceRange
}

/// A name.
public struct NameSyntax: Sendable, Hashable {
  /// The name.
  public var text: String
  /// The range in the source.
  public var range: SourceRange
}

/// A label: a name, or any text in quotes.
public struct LabelSyntax: Sendable, Hashable {
  /// The label without quotes.
  public var text: String
  /// Whether it was written in quotes.
  public var isQuoted: Bool
  /// The range in the source.
  public var range: SourceRange
}

/// `name: value` or `value` in parentheses.
public struct ArgumentSyntax: Sendable, Hashable {
  /// The parameter's name; a positional argument has none.
  public var name: NameSyntax?
  /// The value. The value of a positional argument is always a literal.
  public var value: ValueSyntax
  /// The range in the source.
  public var range: SourceRange
}

/// `name: value` after `with`.
public struct OptionSyntax: Sendable, Hashable {
  /// The option's name.
  public var name: NameSyntax
  /// Its value.
  public var value: ValueSyntax
  /// The range in the source.
  public var range: SourceRange
}

/// A literal or a bare word such as `any-failed`.
///
/// A bare word may be a reserved word, since no other word can be written there.
public enum ValueSyntax: Sendable, Hashable {
  case literal(Literal)
  case word(NameSyntax)

  /// The range in the source.
  public var range: SourceRange {
    switch self {
    case .literal(let literal): literal.range
    case .word(let word): word.range
    }
  }
}
