/// A command with its own words.
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
    /// `help` or `help TOPIC`
    case help(WordSyntax?)
    /// `run EXPR` or `run EXPR &`
    case run(ExpressionSyntax, background: Bool)
    case runs
    /// `show` or `show N`, or either with `lanes` or `save FILE`
    case show(CountSyntax?, ShownSyntax)
    /// `compare LIST under CALL, CALL runs N`
    case compare(ComparisonSyntax)
    /// `compare runs 2, 3`: at least two numbers.
    case compareRuns([CountSyntax])
    case expect(ExpectationSyntax)
    case explore(ExplorationSyntax)
    /// `replay "…"`: always in quotes.
    case replay(WordSyntax)
    case simulate(SimulationSyntax)
    /// `trace SUBCOMMAND WORD…`; whether the words are right is not looked at.
    case trace(TraceSubcommand, NameSyntax, [WordSyntax])
    /// `set`, `set NAME` or `set NAME VALUE`
    case set(SettingSyntax?)
    case jobs
    /// `wait` or `wait N…`
    case wait([CountSyntax])
    /// `cancel` or `cancel N…`
    case cancel([CountSyntax])
    /// `source FILE`
    case source(WordSyntax)
    case quit
  }

  /// The command and its words.
  public var kind: Kind
  /// The command word.
  public var keyword: NameSyntax
  /// Where the whole command stands.
  public var range: SourceRange
}

/// What of a run `show` shows.
public enum ShownSyntax: Sendable, Hashable {
  case timeline
  /// `lanes`
  case lanes
  /// `save FILE`: the picture that it yielded.
  case picture(WordSyntax)
}

/// A word in a place for paths: a plugin's name, a path as written (`~` included), or a string.
public struct WordSyntax: Sendable, Hashable {
  /// The word without quotes.
  public var text: String
  /// Whether it was written in quotes.
  public var isQuoted: Bool
  /// Where it stands.
  public var range: SourceRange
}

/// `compare LIST under CALL, CALL … [runs N]`
public struct ComparisonSyntax: Sendable, Hashable {
  /// A plain name or a list in brackets.
  public var list: ExpressionSyntax
  /// The patterns, none of which has a body; the first is the baseline.
  public var patterns: [CallSyntax]
  /// How often each is run.
  public var runs: CountSyntax?
}

/// `explore EXPR` and its clauses.
public struct ExplorationSyntax: Sendable, Hashable {
  /// How schedules are chosen.
  public enum Strategy: String, Sendable, CaseIterable { case random, pct, dfs }
  /// What is put into the runs.
  public enum Injection: String, Sendable, CaseIterable { case cancel, failure, lateness }

  /// What is run.
  public var expression: ExpressionSyntax
  /// How many schedules.
  public var runs: CountSyntax?
  /// How they are chosen.
  public var strategy: Strategy?
  /// How deep.
  public var depth: CountSyntax?
  /// What is put in.
  public var injection: Injection?
  /// What must be true of each.
  public var expectations: [ExpectationSyntax] = []
}

/// `simulate FILE [with fetch * 0.5, workers = 8]`
public struct SimulationSyntax: Sendable, Hashable {
  /// One change to the recorded run.
  public enum Change: Sendable, Hashable {
    /// `fetch * 0.5`: the step, or all under it, takes so many times as long; at least 0.
    case scale(StepPathSyntax, factor: Double, range: SourceRange)
    /// `workers = 8`
    case set(NameSyntax, ValueSyntax, range: SourceRange)
  }

  /// The file of runs.
  public var file: WordSyntax
  /// The changes, in order.
  public var changes: [Change]
}

/// What `trace` can do.
public enum TraceSubcommand: String, Sendable, CaseIterable {
  case save, show, why, analyse, lint, export, `import`
}

/// `set NAME [VALUE]`
public struct SettingSyntax: Sendable, Hashable {
  /// The setting.
  public var name: NameSyntax
  /// Its new value; without one it is shown.
  public var value: ValueSyntax?
}
