import AsyncPatterns
import AsyncSimulation
import Composing
import Foundation
import PlaygroundLanguage
import PluginLoading
import SystemSteps
import TimingTrace

/// Everything that lasts from one statement to the next: what is loaded and bound, the settings, and
/// the runs that were made.
@MainActor
final class Session {
  let console: Console
  let library: PluginLibrary
  var settings: Settings
  var bindings: Bindings = [:]
  /// What Ctrl-C calls off, on whatever thread it is heard.
  let interruption = Interruption()
  private var ownStatus = ExitStatus()
  /// At the prompt: the status that the block before left.
  private var earlierStatus = ExitStatus()
  /// Whether somebody sits at the prompt, who can press Ctrl-C.
  var isInteractive = false
  /// The files that the options have written when the program ends.
  var optionFiles: [(option: String, path: String)] = []
  /// Called to leave the program.
  var quit: (@MainActor () -> Void)?
  private(set) var hasQuit = false
  /// The exit code of the program that was recorded: it is that of this program, too.
  var programCode: Int32?

  /// What it has come to, for whoever cannot wait for the main lane.
  let log: SessionLog
  /// The runs that have finished, in the order in which they did.
  var runs: [FinishedRun] { log.runs }
  /// The run that expectations read.
  var lastRun: FinishedRun? { didSet { shownRun = lastRun } }
  /// The run that `show` and `trace` mean: that one, or one that an exploration has told since.
  private(set) var shownRun: FinishedRun?
  var lastComparison: Comparison?
  var lastExploration: ExplorationReport?
  var jobs: [BackgroundRun] = []
  /// Whether something was found after which the rest of the script makes no sense.
  private(set) var isStopped = false
  /// What the last statement came to that counts, unless the next expectation says it was to.
  private var pending: Pending?

  /// Something for the exit code that an expectation can ask for.
  struct Pending {
    /// What came to it.
    enum Subject { case run, exploration }
    let subject: Subject
    let reason: ExitStatus.Reason
  }
  private let baseVocabulary: Vocabulary
  private let liveRuntimes = LiveRuntimes()

  init(console: Console, settings: Settings, library: PluginLibrary, log: SessionLog) {
    self.console = console
    self.log = log
    self.settings = settings
    self.library = library
    let say: @Sendable (String) -> Void = { text in
      LiveRuntime.shared.main.schedule { MainActor.assumeIsolated { console.say(verbatim: text) } }
    }
    var vocabulary = Vocabulary(steps: StepKind.kernel + StepKind.system(print: say))
    vocabulary.elsewhere = { library.known() }
    baseVocabulary = vocabulary
  }

  /// What no pattern may be called, each with what it is.
  static let reservedNames: [String: String] = {
    var names = Dictionary(
      uniqueKeysWithValues: Keyword.allCases.map { ($0.rawValue, "a command") })
    for step in StepKind.kernel + StepKind.system(print: { _ in }) {
      names[step.manual.name] = "a step"
    }
    return names
  }()

  /// What the exit code is to say. Whoever calls off what goes on need not wait for the main lane to say so.
  var status: ExitStatus {
    get {
      var status = ownStatus
      if interruption.hasCalledOff { status.add(.interrupted) }
      return status
    }
    set { ownStatus = newValue }
  }

  /// The words that compositions can be made of now.
  var vocabulary: Vocabulary {
    baseVocabulary.replacingPatterns(Array(library.patterns.values))
  }

  // MARK: - Scripts

  /// A script begins.
  func beginScript() {
    interruption.reset()
    isStopped = false
  }

  /// A block of the prompt begins. As in a shell, the last one decides how the program ends.
  func beginBlock() {
    earlierStatus = status
    interruption.forget()
    status = ExitStatus()
  }

  /// A block of the prompt has ended.
  func endBlock() { earlierStatus = status }

  /// What failed counts, now that no expectation has asked for it.
  func settlePending() {
    if let pending { status.add(pending.reason) }
    pending = nil
  }

  /// The last run, or exploration, ended as was expected of it.
  func forgive(_ subject: Pending.Subject) {
    if pending?.subject == subject { pending = nil }
  }

  /// Notes for the exit code how something ended, unless the next expectation says it was to.
  func note(_ reason: ExitStatus.Reason, of subject: Pending.Subject) {
    pending = Pending(subject: subject, reason: reason)
  }

  /// Ends the script after what is being done.
  func stop() { isStopped = true }

  /// Something was wrong with a command when its turn came.
  func fail(_ error: any Error) {
    console.report(String(describing: error))
    if let hint = (error as? CommandError)?.hint { console.complain("  \(hint)") }
    status.add(.wrongInput)
  }

  func leave() {
    hasQuit = true
    // `quit` is a block, too, and has nothing to say about those before it.
    if isInteractive, status.code == 0 { status = earlierStatus }
    quit?()
  }

  // MARK: - Runs

  /// A plan under way, on the clock it asks for.
  func start(_ plan: RunPlan) -> any Execution {
    if let schedule = plan.schedule { return ReplayExecution(plan, under: schedule) }
    return switch plan.settings.clock {
    case .virtual: VirtualExecution(plan)
    case .live: LiveExecution(plan, on: liveRuntimes)
    }
  }

  /// Runs a plan in the foreground and keeps the run.
  func run(_ plan: RunPlan) async -> FinishedRun { keep(await execute(plan, isKept: true)) }

  /// Runs a plan in the foreground; no expectation reads the run.
  ///
  /// - Parameters:
  ///   - isLate: whether it runs even after Ctrl-C, to tell what was found before.
  ///   - isKept: whether it becomes a run of the session, and is to be saved.
  func execute(
    _ plan: RunPlan, evenIfInterrupted isLate: Bool = false, isKept: Bool = false
  ) async -> FinishedRun {
    let begun = isKept ? begin(plan) : nil
    let execution = begun?.execution ?? start(plan)
    interruption.begin(execution, evenIfRaised: isLate)
    let reminder = isInteractive ? remind(of: execution) : nil
    var run = await execution.finished()
    run.ticket = begun?.ticket
    reminder?.cancel()
    interruption.end()
    return run
  }

  /// A run of the session begins.
  func begin(_ plan: RunPlan, job: Int? = nil) -> SessionLog.UnderWay {
    guard let begun = log.begin(job: job, { start(plan) }) else { stayOut() }
    return begun
  }

  /// Somebody else ends the program: nothing more is to happen here.
  private func stayOut() -> Never { while true { pause() } }

  /// Says after a while what a run is waiting for: nobody should wonder whether it hangs.
  private func remind(of execution: any Execution) -> any Cancellable {
    LiveRuntime.shared.main.schedule(after: .seconds(10)) { [weak self] in
      MainActor.assumeIsolated {
        self?.console.say(
          "  still waiting for \(execution.waitingFor.shortList); Ctrl-C cancels it")
      }
    }
  }

  /// Numbers a run and keeps it; expectations read it from now on.
  func keep(_ run: FinishedRun) -> FinishedRun {
    let run = number(run)
    lastRun = run
    return run
  }

  /// Numbers a run and keeps it to be shown; expectations read the one before.
  func number(_ run: FinishedRun) -> FinishedRun {
    var run = run
    run.stateOverhead()
    guard let run = log.add(run) else { stayOut() }
    shownRun = run
    return run
  }

  /// Notes how a run ended for the exit code.
  func note(_ run: FinishedRun) {
    switch run.record.outcome {
    case .success: break
    case .failure: note(.failed, of: .run)
    case .cancelled: note(interruption.isRaised ? .interrupted : .failed, of: .run)
    case .unfinished: note(.unfinished, of: .run)
    }
  }
}
