/// The description of a pattern. The help, the completion at the prompt, the checks of arguments and the tests of the
/// examples all use it.
public struct Manual: Sendable {
  /// The name of the pattern in the language, such as `serial` or `serial.semaphore`.
  public var name: String
  /// One sentence that describes it.
  public var summary: String
  /// Further information for the reader, in paragraphs.
  public var discussion: String
  /// The parameters in parentheses, in the order in which positional arguments fill them.
  public var parameters: [Parameter]
  /// The number of steps it takes.
  public var steps: StepCount
  /// How values flow through it.
  public var flow: Flow
  /// Its behaviour when a step fails.
  public var failure: FailureBehavior
  /// How it treats `after`.
  public var ordering: Ordering
  /// The options that may follow `with` on one of its steps.
  public var stepOptions: [Parameter]
  /// The clocks it runs on. On another clock, it is rejected before anything runs.
  public var clocks: Set<ClockKind>
  /// Whether it receives every call of a step's completion, not only the first.
  public var isUnguarded: Bool
  /// Whether it blocks a thread while its steps run.
  public var blocksThread: Bool
  /// The laws that it breaks on purpose.
  public var breaks: Set<Law>
  /// Whether it is a test. An exploration counts its failure as a violation.
  public var isTest: Bool
  /// How it differs from a pattern that is easily mistaken for it: the name of that pattern, and the difference. The
  /// help writes “Differs from” before it, and a full stop after it.
  public var differsFrom: String?
  /// The names of related patterns, which need not be loaded.
  public var seeAlso: [String]
  /// Scripts that run without changes once the plugin is loaded.
  public var examples: [String]

  /// - Parameter failure: by default, a sequence stops, and a pattern with parallel steps waits.
  public init(
    name: String, summary: String, discussion: String = "", parameters: [Parameter] = [],
    steps: StepCount = .any, flow: Flow = .sequence, failure: FailureBehavior? = nil,
    ordering: Ordering = .none, stepOptions: [Parameter] = [],
    clocks: Set<ClockKind> = [.live, .virtual], isUnguarded: Bool = false,
    blocksThread: Bool = false, breaks: Set<Law> = [], isTest: Bool = false,
    differsFrom: String? = nil, seeAlso: [String] = [], examples: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.parameters = parameters
    self.steps = steps
    self.flow = flow
    self.failure = failure ?? (flow == .sequence ? .stops : .waits)
    self.ordering = ordering
    self.stepOptions = stepOptions
    self.clocks = clocks
    self.isUnguarded = isUnguarded
    self.blocksThread = blocksThread
    self.breaks = breaks
    self.isTest = isTest
    self.differsFrom = differsFrom
    self.seeAlso = seeAlso
    self.examples = examples
  }

  /// The number of steps a pattern takes.
  public enum StepCount: Sendable, Hashable {
    case any
    case none
    case exactly(Int)
    case atLeast(Int)

    /// Whether it takes `count` steps.
    public func allows(_ count: Int) -> Bool {
      switch self {
      case .any: true
      case .none: count == 0
      case .exactly(let number): count == number
      case .atLeast(let number): count >= number
      }
    }
  }

  /// How values flow through a pattern's steps.
  public enum Flow: Sendable, Hashable {
    /// Each step's value is the next one's input. The value of the last step is the result.
    case sequence
    /// Each step gets the pattern's input. The result is the list of values in step order, or the winner's value.
    case sideBySide
  }

  /// The ways in which a pattern treats `after`.
  public enum Ordering: Sendable, Hashable {
    /// It cannot honour `after`, and rejects it.
    case none
    /// It keeps the order of its steps anyway, so an `after` that names an earlier step always holds.
    case keepsOrder
    /// It starts each step when the steps named in its `after` have finished.
    case byDependency
  }
}

/// The laws that every pattern keeps, unless its manual says that it breaks one on purpose.
///
/// `AsyncPatternTesting` checks them.
public enum Law: String, Sendable, Hashable, CaseIterable {
  /// It calls its completion once, whatever its steps do. It need not do so while one of its steps does not complete.
  case completesExactlyOnce = "completes-exactly-once"
  /// It starts each of its steps at most once.
  case startsNoStepTwice = "starts-no-step-twice"
  /// It starts no step once its scope is cancelled.
  case startsNothingAfterCancellation = "starts-nothing-after-cancellation"
  /// When a step fails, it does what its manual’s `FailureBehavior` says.
  case deliversFailure = "delivers-failure"
  /// When it has completed, it leaves behind no timer, no permit, no thread and no hold on the run.
  case leavesNothingBehind = "leaves-nothing-behind"
  /// The same seed gives the same trace.
  case isDeterministic = "is-deterministic"
  /// It never blocks a thread.
  case blocksNoThread = "blocks-no-thread"
}
