import AsyncPatterns
import SystemSteps
import TimingTrace

extension FinishedRun {
  /// Creates a finished run from the events of a recorder.
  ///
  /// - Parameters:
  ///   - result: nil if the run has not settled.
  ///   - start: when the run was requested. It counts only if nothing was recorded.
  ///   - end: when the last caller stopped waiting. Anything that had not settled lasts until then.
  ///   - isCancelled: whether the run was cancelled.
  init(
    plan: RunPlan, recorder: Recorder, result: Result<Value, any Error>?, start: Instant,
    end: Instant, isCancelled: Bool = false
  ) {
    self.init(
      plan: plan, events: recorder.events, dropped: recorder.dropped, result: result,
      start: start, end: end, isCancelled: isCancelled)
  }

  /// Creates a finished run from events. The other parameters are the same as with a recorder.
  init(
    plan: RunPlan, events: TraceEvents, dropped: Int = 0, result: Result<Value, any Error>?,
    start: Instant, end: Instant, isCancelled: Bool = false
  ) {
    var record = RunRecord(
      storedEvents: events, name: plan.name, pattern: plan.composed.pattern,
      clock: plan.settings.clock,
      seed: plan.settings.seed, result: result, start: events.isEmpty ? start : nil, end: end,
      dropped: dropped)
    if isCancelled {
      record.outcome = .cancelled
      // The measurements up to the cancellation are not meaningful. On the virtual clock nothing is measured.
      record.isIncomplete = record.clock == .live
    }
    self.init(plan: plan, record: record, events: events)
    if result == nil { describeEnd(isCancelled: isCancelled) }
  }

  /// Marks a run that was stopped at the time limit as incomplete if each step in progress would have ended by itself.
  mutating func noteLackOfTime(end: Instant) {
    let open = record.open().filter(\.isLeaf)
    guard !open.isEmpty, open.allSatisfy(\.endsByItself) else { return }
    record.isIncomplete = true
    record.derive(from: events, end: end)
  }

  /// Says what was in progress at the end of a run that has not settled.
  private mutating func describeEnd(isCancelled: Bool) {
    let open = record.open().filter(\.isLeaf)
    // Code of a plugin may run or wait; the trace does not show which.
    let running = open.filter { record.clock == .live && $0.isCodeOfPlugin }
    let waiting = open.filter { record.clock != .live || !$0.isCodeOfPlugin }
    if !running.isEmpty {
      remarks.append("It was running \(running.map(\.code.description).shortList).")
    }
    if !waiting.isEmpty {
      remarks.append("It was waiting for \(waiting.map(\.path).shortList).")
    }
    guard open.isEmpty else { return }
    if events.isEmpty {
      remarks.append(
        isCancelled
          ? "It was cancelled before it started." : "It had not started: no worker was free.")
      return
    }
    let queued = record.steps.filter { $0.isLeaf && $0.started == nil }.map(\.path)
    // On the virtual clock, the report of a deadlock says which step waits for what.
    guard !queued.isEmpty, record.clock == .live else { return }
    if let busy = record.busyPattern {
      remarks.append("It was running \(busy), which had not started \(queued.shortList).")
    } else if record.blocked > 0 {
      remarks.append("It was waiting for a worker to start \(queued.shortList).")
    } else {
      // A pattern was waiting for its own timer, for example, or had just completed a step.
      remarks.append("No step was in progress; \(queued.shortList) had not started.")
    }
  }
}

extension RunRecord {
  /// The paths of the steps that were in progress at the end, without patterns.
  var openLeaves: [String] { open().filter(\.isLeaf).map(\.path) }

  /// What is in progress: the paths of steps, and the function or pattern that runs if it is code of a plugin or file.
  var inProgress: [String] {
    let leaves = open().filter(\.isLeaf).map { $0.isCodeOfPlugin ? $0.code.description : $0.path }
    return leaves.isEmpty ? busyPattern.map { [$0.description] } ?? [] : leaves
  }

  /// The code of plugins and files that is in progress.
  var codeInProgress: [CodeInProgress] {
    let running = open().filter { $0.isLeaf && $0.isCodeOfPlugin }.map(\.code)
    return running.isEmpty ? busyPattern.map { [$0] } ?? [] : running
  }

  /// The innermost pattern in progress, if it has started none of its steps and no thread was blocked: its code has not
  /// returned.
  fileprivate var busyPattern: CodeInProgress? {
    guard blocked == 0 else { return nil }
    let owner = steps.lastIndex { $0.started != nil && $0.finished == nil && !$0.isLeaf }
    guard !steps.contains(where: { $0.parent == owner && $0.started != nil }) else { return nil }
    return owner.map { steps[$0].code } ?? CodeInProgress(path: pattern, pattern: pattern)
  }
}

extension StepRecord {
  /// Whether the step runs the code of a plugin or a file. Otherwise it is a step that comes with the program.
  fileprivate var isCodeOfPlugin: Bool { !Self.own.contains(pattern) }

  /// Whether the step ends after a time that it was given.
  fileprivate var endsByItself: Bool { ["sleep", "work", "block"].contains(pattern) }

  fileprivate var code: CodeInProgress { CodeInProgress(path: path, pattern: pattern) }

  private static let own = Set(
    (StepKind.kernel + StepKind.system(print: { _ in })).map(\.manual.name))
}

/// A step in progress, and the function or pattern that it runs.
struct CodeInProgress: CustomStringConvertible {
  let path: String
  let pattern: String

  var description: String { description(in: nil) }

  /// The path, the pattern if the label does not name it, and the plugin that has the pattern, if it is known.
  func description(in plugin: String?) -> String {
    let isNamed = path == pattern || path.hasSuffix("/" + pattern)
    let details = [isNamed ? nil : pattern, plugin.map { "of the plugin \($0)" }]
      .compactMap { $0 }.joined(separator: " ")
    return details.isEmpty ? path : "\(path) (\(details))"
  }
}

extension [String] {
  /// The first five elements, and how many more there are.
  var shortList: String {
    let shown = prefix(5).joined(separator: ", ")
    return count > 5 ? "\(shown) and \((count - 5).grouped) more" : shown
  }
}
