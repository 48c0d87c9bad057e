import AsyncPatterns
import Foundation
import SystemSteps
import TimingTrace

/// The end of the program, also while runs go on: those are ended and told of, and what is to be kept is
/// kept. On any thread, since a step may hold the main lane.
struct ProgramEnd: Sendable {
  /// How long commands have to end by themselves: as long as one that is called off has.
  private static let grace = Duration.milliseconds(700)
  /// How long standard output may keep the program that is to end at once.
  private static let patience = Duration.seconds(1)

  let log: SessionLog
  let options: Options
  let output: LineOutput

  /// Something to be said in the end.
  enum Line {
    /// What is kept, and where.
    case said(String)
    /// What was ended, which is no result.
    case ended(String)
    case wrong(String)
  }

  // MARK: In order

  /// Ends what goes on, and keeps what is to be kept.
  ///
  /// - Parameters:
  ///   - hastily: whether commands are killed at once.
  ///   - cause: what ended the runs, behind the word “ended”.
  ///   - record: takes what the runs that were ended have come to.
  ///   - say: takes what is to be said of it, what was ended before anything is kept.
  func inOrder(
    hastily: Bool, _ cause: String, record: (FinishedRun) -> Void, say: (Line) -> Void
  ) {
    if callOff(), !hastily { ProcessGroups.end(after: Self.grace) }
    finish(cause, { $0 }, record: record, say: say)
  }

  /// Calls off what goes on; false if nothing does.
  private func callOff() -> Bool {
    log.stopBeginning()
    let underWay = log.underWay
    guard !underWay.isEmpty else { return false }
    // Elsewhere, since one of those who are told may take its time.
    let isTold = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      for one in underWay { one.execution.cancel() }
      isTold.signal()
    }
    _ = isTold.wait(timeout: .now() + 0.25)
    return true
  }

  /// Takes what goes on as it stands, and keeps what is to be kept.
  ///
  /// - Parameter sentence: what is to be said, of what was ended, if something was.
  private func finish(
    _ cause: String, _ sentence: (String?) -> String?, record: (FinishedRun) -> Void,
    say: (Line) -> Void
  ) {
    let underWay = log.close()
    let left = underWay.map { one in
      var run = one.execution.soFar
      run.ticket = one.ticket
      return run
    }
    ProcessGroups.end()
    // First, since nobody knows how long the rest takes.
    let names = zip(underWay, left).map(Self.name).joined(separator: ", ")
    if let text = sentence(names.isEmpty ? nil : "ended \(cause): \(names)") { say(.ended(text)) }
    left.forEach(record)
    for run in left { log.journal?.end(run.ticket?.entry, run.saved) }
    let runs = log.runs + left
    if let path = options.save { say(save(runs, to: path)) }
    if let path = options.report { say(report(runs, to: path)) }
  }

  private static func name(_ one: SessionLog.UnderWay, _ run: FinishedRun) -> String {
    let number = one.job.map { "[\($0)] " } ?? ""
    // Of a step alone, its name has said it.
    let steps = run.record.steps
    let isAlone = steps.count == 1 && steps[0].pattern == run.record.pattern
    let waiting = isAlone ? [] : run.record.openLeaves
    let name = run.name.count > 60 ? run.name.prefix(59) + "…" : run.name
    return number + "“\(name)” (\(run.record.outcome.rawValue)"
      + (waiting.isEmpty ? ")" : ", it was waiting for \(waiting.shortList))")
  }

  private func save(_ runs: [FinishedRun], to path: String) -> Line {
    // The file holds all of them, unless writing it failed.
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
        try Report(
          runs: log.comparedRuns + runs.map(\.saved), comparisons: log.comparisons
        ).save(to: path))
    } catch {
      return .wrong("\(error)")
    }
  }

  // MARK: At once

  /// Ctrl-C ends the program while something holds the main lane; what went on has been called off.
  func byControlC() -> Never {
    let holders = MainLane.holders(among: log.underWay).map(\.path)
    atOnce("by Ctrl-C") { ($0 ?? "ended by Ctrl-C") + "; " + MainLane.held(by: holders) }
    _exit(ExitStatus.Reason.interrupted.rawValue)
  }

  /// What has to be done before that signal ends the program.
  func before(_ signal: String) {
    _ = callOff()
    atOnce("by " + signal) { $0 }
  }

  /// The main lane goes on meanwhile, and must not meet what is being taken down: something may hold it.
  ///
  /// - Parameter sentence: what is to be said, of what was ended, if something was.
  private func atOnce(_ cause: String, _ sentence: (String?) -> String?) {
    var isLost = false
    func write(_ record: String) {
      guard options.json, !isLost else { return }
      isLost = output.writeLast(record + "\n", within: Self.patience) != nil
    }
    finish(cause, sentence) {
      write($0.record.json)
    } say: {
      switch $0 {
      case .said(let text), .ended(let text): MainLane.say(text)
      case .wrong(let text):
        MainLane.say("error: \(text)")
        write(ErrorRecord(message: text, file: nil, line: nil, column: nil).json)
      }
    }
    // Whoever holds the main lane may stand in the middle of a record, of a run that has ended.
    if options.json, !isLost { isLost = !output.close(within: Self.patience) }
    if isLost { MainLane.say("error: nobody reads standard output, and the last records are lost") }
  }
}
