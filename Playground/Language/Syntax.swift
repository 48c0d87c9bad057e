/// A script: what was written, in order.
public struct Script: Sendable, Hashable {
  /// The statements that could be read.
  public var statements: [Statement]
}

/// A statement.
public struct Statement: Sendable, Hashable {
  /// What a statement can be.
  public enum Kind: Sendable, Hashable {
    /// `name = expression`
    case assignment(NameSyntax, ExpressionSyntax)
    /// `expression` or `expression &`
    case run(ExpressionSyntax, background: Bool)
    /// A command word and its own words.
    case command(CommandSyntax)
  }

  /// What it is.
  public var kind: Kind
  /// Where it stands, without its separator.
  public var range: SourceRange
}

/// Something that can be run or bound: a call, a plain name or a list.
public enum ExpressionSyntax: Sendable, Hashable {
  /// A call; a plain name is a call with nothing behind it (``CallSyntax/plainName``).
  case call(CallSyntax)
  /// A list in brackets.
  case list(ListSyntax)

  /// Where it stands.
  public var range: SourceRange {
    switch self {
    case .call(let call): call.range
    case .list(let list): list.range
    }
  }
}

/// A name or a call of a pattern or a step: `graph(width: 2) { … }`, `sleep 20ms`, `serial job`.
public struct CallSyntax: Sendable, Hashable {
  /// What a call gives a pattern to coordinate.
  public enum Body: Sendable, Hashable {
    case none
    /// Steps in braces, written in place.
    case block(ListSyntax)
    /// Steps in brackets.
    case list(ListSyntax)
    /// A named list, or a named step.
    case name(NameSyntax)
  }

  /// The pattern, step or named thing.
  public var callee: NameSyntax
  /// What stands in parentheses.
  public var arguments: [ArgumentSyntax]
  /// The literals behind the name and its parentheses: `20ms` in `sleep 20ms`.
  public var literals: [Literal]
  /// The steps.
  public var body: Body
  /// Where it stands.
  public var range: SourceRange

  /// A name and nothing else.
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

  /// The name, if the call is a name and nothing else.
  public var plainName: NameSyntax? {
    guard arguments.isEmpty, literals.isEmpty, case .none = body, range == callee.range else {
      return nil
    }
    return callee
  }
}

/// The steps between braces or brackets; its range holds these too.
public struct ListSyntax: Sendable, Hashable {
  /// The steps, in order, as written: counts are not multiplied out.
  public var steps: [StepSyntax]
  /// Where it stands.
  public var range: SourceRange
}

/// `label: count * expression after … with …`
public struct StepSyntax: Sendable, Hashable {
  /// The label, if it has one.
  public var label: LabelSyntax?
  /// How many of it; at least 1.
  public var count: CountSyntax?
  /// The step itself.
  public var expression: ExpressionSyntax
  /// The labels behind `after`.
  public var predecessors: [LabelSyntax]
  /// What stands behind `with`.
  public var options: [OptionSyntax]
  /// Where it stands.
  public var range: SourceRange
}

/// A whole number that counts something.
public struct CountSyntax: Sendable, Hashable {
  /// The number.
  public var value: Int
  /// Where it stands.
  public var range: SourceRange
}

/// A name.
public struct NameSyntax: Sendable, Hashable {
  /// The name.
  public var text: String
  /// Where it stands.
  public var range: SourceRange
}

/// A label: a name, or any text in quotes.
public struct LabelSyntax: Sendable, Hashable {
  /// The label without quotes.
  public var text: String
  /// Whether it was written in quotes.
  public var isQuoted: Bool
  /// Where it stands.
  public var range: SourceRange
}

/// `name: value` or `value` in parentheses.
public struct ArgumentSyntax: Sendable, Hashable {
  /// The parameter's name; a positional argument has none.
  public var name: NameSyntax?
  /// The value; a positional one is always a literal.
  public var value: ValueSyntax
  /// Where it stands.
  public var range: SourceRange
}

/// `name: value` behind `with`.
public struct OptionSyntax: Sendable, Hashable {
  /// The option's name.
  public var name: NameSyntax
  /// Its value.
  public var value: ValueSyntax
  /// Where it stands.
  public var range: SourceRange
}

/// A literal or a bare word such as `any-failed`.
///
/// A bare word may be a reserved one, for where one stands nothing else can.
public enum ValueSyntax: Sendable, Hashable {
  case literal(Literal)
  case word(NameSyntax)

  /// Where it stands.
  public var range: SourceRange {
    switch self {
    case .literal(let literal): literal.range
    case .word(let word): word.range
    }
  }
}
