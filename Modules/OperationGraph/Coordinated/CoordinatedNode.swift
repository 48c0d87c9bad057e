/// What a coordinated run knows of one operation.
struct CoordinatedNode: Sendable {
  var phase = OperationPhase.waiting
  let trigger: OperationGraph.Trigger

  // How those it comes after have ended, and how many have not.
  var unended: Int32 = 0
  var succeeded: Int32 = 0
  var failed: Int32 = 0
  var cancelled: Int32 = 0
  var skipped: Int32 = 0
  /// Whose values it takes and are not there: it cannot start without, whatever its trigger.
  var missingValues: Int32 = 0

  /// What it was given, and what it has for the sake of those that wait for it.
  let ownPriority: Int
  var priority: Int
  /// When it became ready, among all operations that ever did.
  var arrival: UInt64 = 0
  /// Tells its entry in the ready queue from earlier ones.
  var stamp: UInt32 = 0
  /// Which operations want the same resources.
  let group: Int
  let hasCondition: Bool
  let retry: Retry?
  let timeout: Duration?

  /// How many times it has started.
  var attempts = 0
  /// Whether it was called off, and not the run.
  var isCalledOff = false
  /// Whether the code that began it has returned.
  var hasReturned = false
  /// How it came to its end before that code returned.
  var earlyEnd: EarlyEnd?
  /// What tells the running attempt that it is called off.
  var cancellation: Cancellation?
  /// Of its timeout, or of its next attempt.
  var timer: (any Cancellable)?

  var ending: Ending? {
    if case .ended(let ending) = phase { ending } else { nil }
  }

  var hasEnded: Bool { ending != nil }

  struct EarlyEnd: Sendable {
    var failure: (any Error)?
  }
}

/// How far an operation has come.
enum OperationPhase: Sendable {
  /// For others to end.
  case waiting
  /// For the answer of its condition.
  case asking
  /// For a place, a worker, or resources.
  case ready
  /// It has a place, and whoever gave it that is about to start it.
  case starting
  case running
  /// For the time of its next attempt.
  case delayed
  case ended(Ending)
}

extension CoordinatedNode {
  /// What its trigger says by now.
  enum Verdict {
    case wait, start
    case never(Ending)
  }

  /// All but the rules that ask for any one wait until all have ended, so that nothing comes to its end,
  /// not even by being left out, before what it comes after.
  var verdict: Verdict {
    let holds: Bool =
      switch trigger {
      case .allSucceeded: unended == 0 && failed + cancelled + skipped == 0
      case .allDone: unended == 0
      case .anySucceeded: succeeded > 0
      case .anyFailed: failed > 0
      case .noneFailed: unended == 0 && failed + cancelled == 0
      }
    if holds && missingValues == 0 { return .start }
    return unended > 0 ? .wait : .never(cancelled > 0 ? .cancelled : .skipped)
  }

  /// One of those it comes after has ended.
  ///
  /// - Parameter givesValue: whether it takes that one's value.
  mutating func count(_ ending: Ending, givesValue: Bool) {
    unended -= 1
    switch ending {
    case .succeeded:
      succeeded += 1
      if givesValue { missingValues -= 1 }
    case .failed: failed += 1
    case .cancelled: cancelled += 1
    case .skipped: skipped += 1
    }
  }
}
