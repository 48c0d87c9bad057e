import AgentMessages
import AsyncPatterns
import Foundation
import SystemSteps
import TimingTrace

/// A run in a process of its own: another instance of this program, which runs one script and saves the run to a file.
/// Whatever the code of the run does, the process that started it keeps running.
///
/// The other process has its own global variables, with their first values. It has loaded the same plugins and
/// declarations.
final class IsolatedExecution: Execution {
  /// How long the process may take to end after this program has sent it SIGINT.
  private static let grace = Duration.seconds(3)
  /// How long the process may take to react by itself to Ctrl-C, which the terminal sends to it, too.
  private static let patience = Duration.milliseconds(300)

  let plan: RunPlan
  /// The script, or the reason why no other process can make the run.
  private let script: Result<String, StepFailure>
  private let file: String
  private let ending = WorkEnd<FinishedRun>()
  private let state = Locked(State())

  private struct State: Sendable {
    var process: Int32?
    var isCancelled = false
  }

  /// - Parameter preparation: the statements that load and declare what the run uses, each with a line end.
  init(_ plan: RunPlan, after preparation: String) {
    self.plan = plan
    if plan.composed.step.contains({ $0.kind == "last" }) {
      script = .failure(
        StepFailure("“last” has no value in a process of its own; run it without --isolate"))
    } else if let text = plan.composed.script {
      script = .success(preparation + text)
    } else {
      script = .failure(
        StepFailure("its text is too long for a process of its own; run it without --isolate"))
    }
    file =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("playground-\(UUID().uuidString).runs").path
  }

  var soFar: FinishedRun {
    ending.reached ?? account(of: nil, isCancelled: state.withLock { $0.isCancelled })
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    ending.silence(Alarms.schedule(after: Self.patience) { [self] in signal(SIGINT) })
    ending.silence(
      Alarms.schedule(after: Self.patience + Self.grace) { [self] in signal(SIGKILL) })
  }

  /// Code that crashes in this process is not code of the run.
  var stepInThisProcess: Step? { nil }
  var hasEnded: Bool { ending.isReached }
  func crashed(_ reason: String) {}

  var progress: String? { "\(plan.shortTitle): in a process of its own" }

  private func signal(_ number: Int32) {
    guard !ending.isReached, let process = state.withLock({ $0.process }) else { return }
    kill(process, number)
  }

  func finished() async -> FinishedRun {
    let settings = plan.settings
    let text: String
    switch script {
    case .success(let script): text = script
    case .failure(let reason):
      ending.reach(
        FinishedRun(
          plan: plan, events: TraceEvents([]), result: .failure(reason), start: .zero, end: .zero))
      return await ending.account
    }
    var arguments = [
      "--isolated-run", "--clock", settings.clock.rawValue, "--seed", "\(settings.seed)",
      "--time-limit", settings.timeLimit.map { "\($0.wholeNanoseconds)ns" } ?? "none", "--save",
      file,
    ]
    if let workers = settings.workers { arguments += ["--workers", "\(workers)"] }
    let process = ProgramProcess(
      "/proc/self/exe", arguments + ["eval", text],
      // The first line of a crash report says enough, and the rest takes a second. If the rest were turned off, the
      // standard library would print a report of its own. So the rest is left to a program that prints nothing.
      adding: ["SWIFT_BACKTRACE": "enable=yes,swift-backtrace=/bin/true"], .inherited)
    defer { try? FileManager.default.removeItem(atPath: file) }
    do {
      let end = try await process.run { [state] process in
        state.withLock { $0.process = process }
      }
      ending.reach(account(of: end, isCancelled: state.withLock { $0.isCancelled }))
    } catch {
      var run = FinishedRun(
        plan: plan, events: TraceEvents([]), result: .failure(error), start: .zero, end: .zero)
      run.couldNotFinish("The process of the run could not be started.")
      ending.reach(run)
    }
    return await ending.account
  }

  /// The run that the other process has saved.
  ///
  /// - Parameter end: how that process ended. Nil if it has not.
  private func account(of end: ProgramProcess.End?, isCancelled: Bool) -> FinishedRun {
    let saved = try? SavedRuns.read(file).runs.last
    var reason: String?
    if case .signalled(let signal)? = end, !isCancelled {
      reason = "its process crashed with \(ProcessEnding.name(ofSignal: signal))"
    } else if saved == nil, case .exited(let code)? = end, !isCancelled {
      reason = "its process ended with code \(code) and saved no run"
    }
    guard let saved else {
      return FinishedRun(
        plan: plan, events: TraceEvents([]), result: reason.map { .failure(StepFailure($0)) },
        start: .zero,
        end: .zero, isCancelled: isCancelled)
    }
    var run = FinishedRun(plan: plan, record: saved.record, events: saved.storedEvents)
    if end == nil { run.wasStoppedEarly() }
    guard let reason else { return run }
    var crashed = run.crashed(reason)
    crashed.remarks = []
    return crashed
  }
}
