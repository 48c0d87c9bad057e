import AsyncPatterns
import RunLoopTransaction

/// The transactions of steps in a queue, one for each target. A transaction starts the step that was committed last. If
/// that step has `again: true`, the transaction commits itself again in each turn until the commit is refused. Then the
/// pattern fails.
///
/// The commits of steps with the same key, and the repeated commit of one of them, make equal transactions. The queue
/// combines equal transactions into one. So all of them have the same action, which asks the target what to do.
final class StepTransactions: Sendable {
  private let steps: [Step]
  private let course: CommittedSteps
  private let queue: TransactionQueue
  private let scope: Scope

  init(_ steps: [Step], of course: CommittedSteps, to queue: TransactionQueue, in scope: Scope) {
    self.steps = steps
    self.course = course
    self.queue = queue
    self.scope = scope
  }

  /// - Returns: why the commit was refused; nil if it was not.
  func commit(_ target: CommittedStep, _ index: Int) -> StepFailure? {
    let limit = queue.refusingLimit
    // Recorded before the commit, because the commit may be performed immediately. A commit that may be refused is not
    // recorded.
    if limit == nil { course.markCommitted(index) }
    guard commitTransaction(of: target, index).isRefused else { return nil }
    return StepFailure(
      "the commit of “\(target.key)” was refused: the action of a transaction started the pattern, at the end of a "
        + "chain longer than cycle-limit: \(limit ?? 0); start it outside of the action, or raise cycle-limit"
    )
  }

  private func commitTransaction(of target: CommittedStep, _ index: Int) -> Commitment {
    Transaction(target, target.key, priority: Priority(of: steps[index])) {
      self.perform($0)
    }.commit(to: queue, file: "step", line: UInt(index + 1))
  }

  /// Called on the main lane.
  private func perform(_ target: CommittedStep) {
    let group = target.takeWaiting()
    if let last = group.last {
      let isAgain = steps[last].options["again"] == .bool(true)
      switch (target.repeat(isAgain ? last : nil), isAgain) {
      // Called before the step can end, so that the pattern does not end too early.
      case (false, true): course.begin()
      case (true, false): course.end()
      case (true, true), (false, false): break
      }
      course.start(last, for: group)
    }
    repeatTransaction(of: target)
  }

  private func repeatTransaction(of target: CommittedStep) {
    guard let (index, turns) = target.nextRepetition() else { return }
    guard !scope.isCancelled else {
      _ = target.repeat(nil)
      return course.end(failing: CancellationError())
    }
    guard commitTransaction(of: target, index).isRefused else { return }
    _ = target.repeat(nil)
    let often = turns == 1 ? "" : " in each of \(turns) turns in a row"
    course.end(
      failing: StepFailure(
        "“\(target.key)” has committed itself again\(often), and the commit was refused; commit only what has changed"
      ))
  }
}

extension Priority {
  fileprivate init(of step: Step) {
    switch step.options["priority"] {
    case .string("high")?: self = .high
    case .string("low")?: self = .low
    default: self = .normal
    }
  }
}
