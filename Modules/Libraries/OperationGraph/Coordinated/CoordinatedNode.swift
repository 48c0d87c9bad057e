/// What a coordinated run knows of one operation.
struct CoordinatedNode: Sendable {
  var phase = OperationPhase.waiting
  let trigger: OperationGraph.Trigger

  var predecessors = PredecessorCounts()

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

  var ending: Ending? {
    if case .ended(let ending) = phase { ending } else { nil }
  }

  var hasEnded: Bool { ending != nil }

  /// Whether its entry in the ready queue is up to date.
  func isReady(_ entry: ReadyQueue.Entry) -> Bool {
    if case .ready = phase { stamp == entry.stamp } else { false }
  }
}

/// How the predecessors of an operation have ended, and how many have not.
struct PredecessorCounts: Sendable {
  var unended: Int32 = 0
  var succeeded: Int32 = 0
  var failed: Int32 = 0
  var cancelled: Int32 = 0
  var skipped: Int32 = 0
  /// How many values it takes that are missing: without them it cannot start, whatever its trigger.
  var missingValues: Int32 = 0

  /// Whether the operation can start.
  enum Verdict {
    case wait, start
    case never(Ending)
  }

  /// All triggers but those that ask for any predecessor wait until all have ended. So no operation ends,
  /// or is skipped, before its predecessors.
  func verdict(_ trigger: OperationGraph.Trigger) -> Verdict {
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

  /// A predecessor has ended.
  ///
  /// - Parameter givesValue: whether the operation takes its value.
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
