/// All there is to know of a pattern before it runs: written once, it drives the help, the completion
/// at the prompt, the checking of arguments and the tests of the examples.
public struct Manual: Sendable {
  /// What the language calls the pattern, such as `serial` or `serial.semaphore`.
  public var name: String
  /// One sentence.
  public var summary: String
  /// What else a reader should know, in paragraphs.
  public var discussion: String
  /// What it takes in parentheses, in the order in which positional arguments fill them.
  public var parameters: [Parameter]
  /// How many steps it takes.
  public var steps: StepCount
  /// How values flow through it.
  public var flow: Flow
  /// What it does about a step that fails.
  public var failure: FailurePolicy
  /// What it does with `after`.
  public var ordering: Ordering
  /// What may follow `with` on one of its steps.
  public var stepOptions: [Parameter]
  /// The clocks it runs on; on others it is refused before anything runs.
  public var clocks: Set<ClockKind>
  /// Whether it receives every call of a step's completion, not only the first.
  public var isUnguarded: Bool
  /// Whether it parks a thread while its steps run.
  public var blocksThread: Bool
  /// The laws it breaks on purpose.
  public var breaks: Set<Law>
  /// Whether it is a test: an exploration takes its failure for a violation.
  public var isTest: Bool
  /// Scripts that run as they stand once the plugin is loaded.
  public var examples: [String]

  /// - Parameter failure: unless said otherwise, a sequence stops, and what runs side by side waits.
  public init(
    name: String, summary: String, discussion: String = "", parameters: [Parameter] = [],
    steps: StepCount = .any, flow: Flow = .sequence, failure: FailurePolicy? = nil,
    ordering: Ordering = .none, stepOptions: [Parameter] = [],
    clocks: Set<ClockKind> = [.live, .virtual], isUnguarded: Bool = false,
    blocksThread: Bool = false, breaks: Set<Law> = [], isTest: Bool = false,
    examples: [String] = []
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
    self.examples = examples
  }

  /// How many steps a pattern takes.
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
    /// Each step's value is the next one's input; the last is the result.
    case sequence
    /// Each step gets the pattern's input; the result is the list in step order, or the winner's.
    case sideBySide
  }

  /// What a pattern does with `after`.
  public enum Ordering: Sendable, Hashable {
    /// It cannot honour it, and refuses.
    case none
    /// It keeps the order of its steps anyway, so `after` an earlier step holds by itself.
    case keepsOrder
    /// It starts each step when the steps it names have finished.
    case byDependency
  }
}

/// What every pattern keeps unless its manual says that it breaks it on purpose.
///
/// `AsyncPatternTesting` holds a pattern to them.
public enum Law: String, Sendable, Hashable, CaseIterable, Codable {
  /// It calls its completion once, whatever its steps do, unless it waits for one of them.
  case completesExactlyOnce = "completes-exactly-once"
  /// It starts each of its steps at most once.
  case startsNoStepTwice = "starts-no-step-twice"
  /// It asks for no start once its scope is cancelled.
  case startsNothingAfterCancellation = "starts-nothing-after-cancellation"
  /// It does about a step that fails what its `FailurePolicy` says.
  case deliversFailure = "delivers-failure"
  /// No timer, permit, thread or hold on the run is left when it is over.
  case leavesNothingBehind = "leaves-nothing-behind"
  /// The same seed gives the same trace.
  case isDeterministic = "is-deterministic"
  /// No thread stands parked on its behalf.
  case blocksNoThread = "blocks-no-thread"
}
