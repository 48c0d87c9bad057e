import AsyncPatterns
import AsyncSimulation
import Composing
import Foundation
import PlaygroundLanguage
import PluginLoading
import SwiftTasks
import SystemSteps
import TimingTrace

/// The state that lasts from one statement to the next: plugins, bindings, settings, and the runs so far.
@MainActor
final class Session {
  let console: Console
  let library: PluginLibrary
  /// The Swift that was typed.
  let snippets: SnippetLibrary
  var settings: Settings
  var bindings: Bindings = [:]
  /// Cancels work when Ctrl-C is pressed. It can be used from any thread.
  let interruption = Interruption()
  private var ownStatus = ExitStatus()
  /// At the prompt: the status after the previous block.
  private var earlierStatus = ExitStatus()
  /// Whether a user at the prompt can press Ctrl-C.
  var isInteractive = false
  /// The files that options write when the program ends.
  var optionFiles: [(option: String, path: String)] = []
  /// Returns the blocks entered so far, the oldest first. Nil without a prompt.
  var history: (@MainActor () -> [String])?
  /// The blocks that were entered at the prompt and had no error, the oldest first.
  var typed: [String] = []
  /// The last block at the prompt that did more than list something. `edit` opens it.
  var lastTyped: String?
  /// Enters a block at the prompt, as if it were typed after the current one. Nil without a prompt.
  var enter: (@MainActor (String) -> Void)?
  /// Whether runs of code that was loaded or typed have a process of their own.
  var isIsolating = false
  /// Called to leave the program.
  var quit: (@MainActor () -> Void)?
  private(set) var hasQuit = false
  /// The exit code of a program that was recorded. The playground exits with the same code.
  var programCode: Int32?
  /// The signal that has cancelled the exploration of a program. This program must end by it.
  var endingSignal: Int32?

  /// The results of the session, for code that cannot wait for the main lane.
  let log: SessionLog
  /// The runs that have finished and are kept, in the order of their numbers.
  var runs: [FinishedRun] { log.runs }
  /// The run that expectations read.
  var lastRun: FinishedRun? { didSet { shownRun = lastRun } }
  /// The run that `show` and `trace` use: the last run, or a later run that an exploration has shown.
  private(set) var shownRun: FinishedRun?
  var lastComparison: Comparison?
  var lastExploration: ExplorationReport?
  var jobs: [BackgroundRun] = []
  /// Whether an error was found that makes the rest of the script pointless.
  private(set) var isStopped = false
  /// The last failure that affects the exit code, unless the next expectation expects it.
  private var pending: Pending?
  /// The plugins of patterns that are not loaded, while a script is checked. Finding them reads many files, and each
  /// unknown name asks for them.
  let knownElsewhere = Locked<[String: String]?>(nil)

  /// An outcome for the exit code that the next expectation can expect.
  struct Pending {
    /// What the outcome is about.
    enum Subject { case run, exploration }
    let subject: Subject
    let reason: ExitStatus.Reason
  }
  /// The place of the command that is performed; nil if it was typed.
  var place: CommandPlace?
  /// The value of the last run that had one, as “last” yields it.
  private let lastValue: Locked<Value>
  /// How long it took to load plugins that were loaded before, by their names.
  var loadingTimes: [String: Duration] = [:]
  private let baseVocabulary: Vocabulary
  private let liveRuntimes = LiveRuntimes()

  init(console: Console, settings: Settings, library: PluginLibrary, log: SessionLog) {
    self.console = console
    self.log = log
    self.settings = settings
    self.library = library
    snippets = SnippetLibrary(host: library.path.host)
    let say: @Sendable (String) -> Void = { text in
      // A step of a simulated run calls this. Its output is not a part of the simulation.
      TaskSimulation.outside {
        LiveRuntime.shared.main.schedule { MainActor.assumeIsolated { console.say(printed: text) } }
      }
    }
    let lastValue = Locked(Value.none)
    self.lastValue = lastValue
    let last = StepKind.last { lastValue.withLock { $0 } }
    var vocabulary = Vocabulary(
      steps: StepKind.kernel + StepKind.system(print: say) + [last, .swift])
    vocabulary.elsewhere = { [knownElsewhere] in
      if let known = knownElsewhere.withLock({ $0 }) { return known }
      let known = library.known()
      knownElsewhere.withLock { $0 = known }
      return known
    }
    vocabulary.swift = { [snippets] in snippets.step(for: $0) }
    baseVocabulary = vocabulary
  }

  /// The names that a pattern must not have, each with what the name stands for.
  static let reservedNames: [String: String] = {
    var names = Dictionary(
      uniqueKeysWithValues: Keyword.allCases.map { ($0.rawValue, "a command") })
    let own = [StepKind.last { .none }, .swift]
    for step in StepKind.kernel + StepKind.system(print: { _ in }) + own {
      names[step.manual.name] = "a step"
    }
    return names
  }()

  /// The reasons that determine the exit code. A cancellation with Ctrl-C and a crash of an earlier run count here
  /// immediately, without waiting for the main lane.
  var status: ExitStatus {
    get {
      var status = ownStatus
      if interruption.hasCancelled { status.add(.interrupted) }
      if log.hasEarlierCrash { status.add(.failed) }
      return status
    }
    set { ownStatus = newValue }
  }

  /// The words that compositions can use now.
  var vocabulary: Vocabulary {
    baseVocabulary.replacingPatterns(Array(library.patterns.values))
  }

  // MARK: - Scripts

  /// The step `last` of this session.
  var lastStep: StepKind { .last { [lastValue] in lastValue.withLock { $0 } } }

  /// Lets “last” yield the value of the last run from now on. During a statement it does not change, so that a second
  /// run of the statement is like the first.
  func keepLastValue() {
    guard let value = lastRun?.record.value, value != Value.none else { return }
    lastValue.withLock { $0 = value }
  }

  /// Prepares the session for a new script.
  func beginScript() {
    interruption.reset()
    isStopped = false
  }

  /// Prepares the session for a new block at the prompt. As in a shell, the last block determines the exit code.
  func beginBlock() {
    earlierStatus = status
    interruption.forget()
    log.forgetEarlierCrash()
    status = ExitStatus()
  }

  /// Keeps the status of a block of the prompt that has ended.
  func endBlock() { earlierStatus = status }

  /// Counts the pending failure for the exit code, since no expectation has expected it.
  func settlePending() {
    if let pending { status.add(pending.reason) }
    pending = nil
  }

  /// Discards the pending failure of the last run or exploration, since it ended as expected.
  func forgive(_ subject: Pending.Subject) {
    if pending?.subject == subject { pending = nil }
  }

  /// Keeps an outcome for the exit code, unless the next expectation expects it.
  func note(_ reason: ExitStatus.Reason, of subject: Pending.Subject) {
    pending = Pending(subject: subject, reason: reason)
  }

  /// Ends the script after the current action.
  func stop() { isStopped = true }

  /// Reports a command that could not be performed.
  func fail(_ error: any Error) {
    let hint = (error as? CommandError)?.hint
    status.add(.wrongInput)
    if let place {
      return console.report(
        Diagnostic(String(describing: error), at: place.range, in: place.source, hint: hint))
    }
    console.report(String(describing: error))
    if let hint { console.complain(console.wrapped("  \(hint)")) }
  }

  func leave() {
    hasQuit = true
    // `quit` is a block too, but it must not change the exit code of the blocks before it.
    if isInteractive, status.code == 0 { status = earlierStatus }
    quit?()
  }

  // MARK: - Runs

  /// Creates the execution of a plan, on the clock that its settings ask for.
  func start(_ plan: RunPlan) -> any Execution {
    if let schedule = plan.schedule { return ReplayExecution(plan, under: schedule) }
    if let isolated = isolated(plan) { return isolated }
    return switch plan.settings.clock {
    case .virtual: VirtualExecution(plan)
    case .live: LiveExecution(plan, on: liveRuntimes)
    }
  }

  /// Runs a plan in the foreground and adds the run to the session.
  ///
  /// - Parameters:
  ///   - isListed: whether it gets a number, and “runs” lists it.
  ///   - showsProgress: whether a line shows the progress of a long run.
  func run(
    _ plan: RunPlan, isListed: Bool = true, showsProgress: Bool = true
  ) async -> FinishedRun {
    keep(await execute(plan, isKept: true, showsProgress: showsProgress), isListed: isListed)
  }

  /// Runs a plan in the foreground. No expectation reads the run.
  ///
  /// - Parameters:
  ///   - isLate: whether it runs even after Ctrl-C, to show what was found before.
  ///   - isKept: whether it becomes a run of the session, and is saved with the others.
  ///   - showsProgress: whether a line shows the progress of a long run.
  func execute(
    _ plan: RunPlan, evenIfInterrupted isLate: Bool = false, isKept: Bool = false,
    showsProgress: Bool = true
  ) async -> FinishedRun {
    let begun = isKept ? begin(plan) : nil
    let execution = begun?.execution ?? start(plan)
    interruption.begin(execution, evenIfRaised: isLate)
    let progress = showsProgress ? showProgress(of: execution) : nil
    var run = await Self.finished(execution, of: log)
    run.ticket = begun?.ticket
    progress?.stop()
    interruption.end()
    return run
  }

  /// Waits for a run. If the main thread is blocked afterwards, reports that, since nothing can continue.
  private nonisolated static func finished(
    _ execution: any Execution, of log: SessionLog
  ) async -> FinishedRun {
    let run = await execution.finished()
    // After Ctrl-C, the message comes earlier.
    if run.record.outcome != .cancelled { MainLane.reportIfHeldAfterRun(among: log) }
    return run
  }

  /// Starts a run of the session. If the program is ending, it never returns.
  func begin(_ plan: RunPlan, inBackground: Bool = false) -> SessionLog.UnderWay {
    guard let begun = log.begin(inBackground: inBackground, { start(plan) }) else { Self.stayOut() }
    return begun
  }

  /// Blocks this thread forever: another thread is ending the program, and nothing more must happen here.
  nonisolated static func stayOut() -> Never { while true { pause() } }

  /// Shows what a run does, how much of it is done, and how long it may take.
  private func showProgress(of execution: any Execution) -> ProgressLine {
    let plan = execution.plan
    // The time that a simulation takes is not the makespan that it reports.
    let before =
      plan.settings.clock == .virtual
      ? nil
      : runs.last {
        $0.name == plan.name && $0.record.outcome == .success && $0.record.clock == .live
      }
    let known = before.map { run in
      let time = Duration.nanoseconds(run.record.makespan).rounded
      return run.number.map { "took \(time) in run \($0)" } ?? "took \(time) before"
    }
    let limit = plan.settings.timeLimit.map { "at most \($0.shortDescription)" }
    return ProgressLine(on: console, style, cancelledBy: interruption) { time in
      ([execution.progress, "\(time.rounded) so far", known ?? limit]).compactMap(\.self)
        .joined(separator: ", ")
    }
  }

  /// Keeps a run, with a number if it is listed. Expectations read it from now on.
  func keep(_ run: FinishedRun, isListed: Bool = true) -> FinishedRun {
    let run = number(run, isListed: isListed)
    lastRun = run
    return run
  }

  /// Keeps a run to be shown, with a number if it is listed. Expectations still read the run before it.
  func number(_ run: FinishedRun, isListed: Bool = true) -> FinishedRun {
    var run = run
    run.stateOverhead()
    guard let run = log.add(run, isListed: isListed) else { Self.stayOut() }
    shownRun = run
    return run
  }

  /// Keeps the outcome of a run for the exit code.
  func note(_ run: FinishedRun) {
    switch run.record.outcome {
    case .success: break
    case .failure: note(.failed, of: .run)
    case .cancelled: note(interruption.isRaised ? .interrupted : .failed, of: .run)
    case .unfinished: note(.unfinished, of: .run)
    }
  }
}
