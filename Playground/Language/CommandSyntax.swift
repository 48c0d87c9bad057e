/// A command: a command word and its arguments.
public struct CommandSyntax: Sendable, Hashable {
  /// The commands.
  public enum Kind: Sendable, Hashable {
    /// `load`, or `load` with names and paths.
    case load([WordSyntax])
    case unload([WordSyntax])
    case reload([WordSyntax])
    case plugins
    case patterns
    case names
    /// `help` or `help TOPIC`.
    case help(WordSyntax?)
    /// `run EXPR` or `run EXPR &`.
    case run(ExpressionSyntax, background: Bool)
    case runs
    /// `show` or `show N`; both can be followed by `lanes`, `all` or `save FILE`.
    case show(CountSyntax?, ShownSyntax)
    /// `compare LIST under CALL, CALL runs N`.
    case compare(ComparisonSyntax)
    /// `compare runs 2, 3`: at least two numbers.
    case compareRuns([CountSyntax])
    case expect(ExpectationSyntax)
    case explore(ExplorationSyntax)
    /// `replay "…"`. The schedule is always in quotes.
    case replay(WordSyntax)
    case simulate(SimulationSyntax)
    /// `trace SUBCOMMAND WORD…`. The words are not checked.
    case trace(TraceSubcommand, NameSyntax, [WordSyntax])
    /// `set`, `set NAME` or `set NAME VALUE`.
    case set(SettingSyntax?)
    case jobs
    /// `wait` or `wait N…`.
    case wait([CountSyntax])
    /// `cancel` or `cancel N…`.
    case cancel([CountSyntax])
    /// `source FILE`.
    case source(WordSyntax)
    /// `quit`, `exit` or `q`.
    case quit
    case history
    case lessons
    /// `lesson N`.
    case lesson(CountSyntax)
    /// `save FILE`. Nil if no file is given after `save`.
    case save(WordSyntax?)
    /// `edit` or `edit NAME`.
    case edit(WordSyntax?)
    /// `!COMMAND`: the rest of the line.
    case shell(String)
  }

  /// The command and its arguments.
  public var kind: Kind
  /// The command word, or `!` or `?`.
  public var keyword: NameSyntax
  /// The range of the complete command in the source.
  public var range: SourceRange
}

/// The part of a run that `show` displays.
public enum ShownSyntax: Sendable, Hashable {
  case timeline
  /// `lanes`.
  case lanes
  /// `all`: a row for each step.
  case allSteps
  /// `save FILE`: saves the picture that the run produced.
  case picture(WordSyntax)
}

/// A word where a path is allowed: a plugin's name, a path as written (including `~`), or a string.
public struct WordSyntax: Sendable, Hashable {
  /// The word without quotes.
  public var text: String
  /// Whether it was written in quotes.
  public var isQuoted: Bool
  /// The range in the source.
  public var range: SourceRange

  public init(text: String, isQuoted: Bool, range: SourceRange) {
    (self.text, self.isQuoted, self.range) = (text, isQuoted, range)
  }
}

/// `compare LIST under CALL, CALL … [runs N]`.
public struct ComparisonSyntax: Sendable, Hashable {
  /// A plain name or a list in brackets.
  public var list: ExpressionSyntax
  /// The patterns, without bodies. The first is the baseline.
  public var patterns: [CallSyntax]
  /// The number of runs of each pattern.
  public var runs: CountSyntax?
}

/// `explore EXPR` and its clauses.
public struct ExplorationSyntax: Sendable, Hashable {
  /// The strategy for choosing schedules.
  public enum Strategy: String, Sendable, CaseIterable { case random, pct, dfs }
  /// The kind of event that is injected into the runs.
  public enum Injection: String, Sendable, CaseIterable { case cancel, failure, lateness }

  /// The expression to run.
  public var expression: ExpressionSyntax
  /// The maximum number of schedules.
  public var runs: CountSyntax?
  /// Whether to try exactly that many, even if they repeat each other.
  public var isExact = false
  /// The strategy for choosing schedules.
  public var strategy: Strategy?
  /// The depth of the exploration.
  public var depth: CountSyntax?
  /// The kind of event to inject.
  public var injection: Injection?
  /// The expectations that each run must meet.
  public var expectations: [ExpectationSyntax] = []
}

/// `simulate FILE [with fetch * 0.5, workers = 8]`.
public struct SimulationSyntax: Sendable, Hashable {
  /// One change to the recorded run.
  public enum Change: Sendable, Hashable {
    /// `fetch * 0.5`: multiplies the duration of the step, or of all steps below it, by a factor of at least 0.
    case scale(StepPathSyntax, factor: Double, range: SourceRange)
    /// `workers = 8`.
    case set(NameSyntax, ValueSyntax, range: SourceRange)
  }

  /// The file with the recorded runs.
  public var file: WordSyntax
  /// The changes, in order.
  public var changes: [Change]
}

/// The subcommands of `trace`.
public enum TraceSubcommand: String, Sendable, CaseIterable {
  case save, show, why, analyse, lint, export, `import`
}

/// `set NAME [VALUE]`.
public struct SettingSyntax: Sendable, Hashable {
  /// The setting.
  public var name: NameSyntax
  /// The new value. Without a value, the setting is shown.
  public var value: ValueSyntax?
}
