import AsyncPatterns
import Foundation
import PluginLoading
import SystemSteps
import TimingTrace

/// Ends the program, even if runs are in progress: it ends and reports those, and saves what must be kept. It can be
/// used on any thread, since a step may hold the main lane.
struct ProgramEnd: Sendable {
  /// How long commands may take to end by themselves. A cancelled command is killed within that time.
  private static let grace = Duration.milliseconds(700)
  /// How long standard output may delay a program that must end immediately.
  private static let patience = Duration.seconds(1)

  let log: SessionLog
  /// The file that the runs are saved to, and that of the page with all runs; nil for none.
  let savedFile, reportFile: String?
  let writesJSON: Bool
  let output: LineOutput

  /// A line of output at the end of the program.
  enum Line {
    /// What has been saved, and where.
    case said(String)
    /// Which runs were ended. This is not a result.
    case ended(String)
    case wrong(String)
  }

  /// Ends the runs in progress, and saves what must be kept.
  ///
  /// - Parameters:
  ///   - hastily: whether commands are killed immediately.
  ///   - afterError: whether an error has been reported. Then it is no second error that there is no run to save.
  ///   - cause: what ended the runs, as the words after “ended”.
  ///   - record: receives the runs that were ended.
  ///   - say: receives the lines of output. The runs that were ended come before anything is saved.
  /// - Returns: false if another thread has already done so and is ending the program.
  func inOrder(
    hastily: Bool, afterError: Bool, _ cause: String, record: (FinishedRun) -> Void,
    say: (Line) -> Void
  ) -> Bool {
    if cancelRuns(), !hastily { ProcessGroups.end(after: Self.grace) }
    guard let underWay = log.close() else { return false }
    let left = underWay.map { one in
      var run = one.execution.soFar
      run.ticket = one.ticket
      return run
    }
    Self.endRemains()
    // The runs are reported first, since the rest may take arbitrarily long.
    let names = zip(underWay, left).map(Self.name).joined(separator: ", ")
    if !names.isEmpty { say(.ended("ended \(cause): \(names)")) }
    left.forEach(record)
    for run in left { log.journal?.end(run.ticket?.entry, run.saved) }
    let runs = log.runs + left
    if afterError, runs.isEmpty, log.comparedRuns.isEmpty { return true }
    if let path = savedFile { say(save(runs, to: path)) }
    if let path = reportFile { say(report(runs, to: path)) }
    return true
  }

  /// Does the same as `inOrder` without the main lane, which may be held. The main lane keeps running meanwhile, so
  /// nothing that it uses may be torn down.
  ///
  /// - Parameter fault: an error to report first.
  func withoutMainLane(_ cause: String, reporting fault: String? = nil) -> Bool {
    var isLost = false
    func write(_ record: String) {
      guard writesJSON, !isLost else { return }
      isLost = output.writeLast(record + "\n", within: Self.patience) != nil
    }
    func fail(_ error: String) {
      MainLane.say("error: \(error)")
      write(ErrorRecord(message: error, file: nil, line: nil, column: nil).json)
    }
    if let fault { fail(fault) }
    let isEnded = inOrder(hastily: true, afterError: fault != nil, cause) {
      write($0.record.json)
    } say: {
      switch $0 {
      case .said(let text), .ended(let text): MainLane.say(text)
      case .wrong(let text): fail(text)
      }
    }
    guard isEnded else { return false }
    // The thread of the main lane may be in the middle of writing the record of a run that has ended.
    if writesJSON, !isLost { isLost = !output.close(within: Self.patience) }
    if isLost { MainLane.say("error: nothing reads standard output, so the last records are lost") }
    return true
  }

  /// Kills all processes that the program has started, and removes its temporary folders.
  static func endRemains() {
    ProcessGroups.end()
    LoaderRemains.end()
    ProgramExploration.removeFolders()
  }

  /// Does the same as `withoutMainLane`, after a plugin or a step has called `exit`.
  func afterForeignExit() {
    _ = withoutMainLane(
      "by a call of exit",
      reporting:
        "a plugin or a step called exit, so the rest of the script did not run; let it fail instead"
    )
  }

  /// Cancels the runs in progress. False if there are none.
  private func cancelRuns() -> Bool {
    log.stopBeginning()
    let underWay = log.underWay
    guard !underWay.isEmpty else { return false }
    // Cancels on another thread, since the handler of a cancellation may be slow.
    let isCancelled = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      for one in underWay { one.execution.cancel() }
      isCancelled.signal()
    }
    _ = isCancelled.wait(timeout: .now() + 0.25)
    return true
  }

  private static func name(_ one: SessionLog.UnderWay, _ run: FinishedRun) -> String {
    let number = one.number.map { "[\($0)] " } ?? ""
    // If the run is a single step, the name already says what it was waiting for.
    let steps = run.record.steps
    let isAlone = steps.count == 1 && steps[0].pattern == run.record.pattern
    let waiting = isAlone ? [] : run.record.openLeaves
    let name = run.name.count > 60 ? run.name.prefix(59) + "…" : run.name
    return number + "“\(name)” (\(run.record.outcome.rawValue)"
      + (waiting.isEmpty ? ")" : ", it was waiting for \(waiting.shortList))")
  }

  private func save(_ runs: [FinishedRun], to path: String) -> Line {
    // The file contains all runs, unless writing it failed.
    if log.journal?.close() == runs.count, !runs.isEmpty {
      return .said(SavedRuns.saying(runs.count, in: path))
    }
    do {
      return .said(try SavedRuns(runs: runs.map(\.saved)).save(to: path))
    } catch {
      return .wrong("\(error)")
    }
  }

  private func report(_ runs: [FinishedRun], to path: String) -> Line {
    do {
      return .said(
        try HTMLReport(
          runs: log.comparedRuns + runs.map(\.saved), comparisons: log.comparisons
        ).save(to: path))
    } catch {
      return .wrong("\(error)")
    }
  }
}
