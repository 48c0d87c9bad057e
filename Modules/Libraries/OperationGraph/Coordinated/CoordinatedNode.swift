/// The state of one operation in a coordinated run.
struct CoordinatedNode: Sendable {
  var phase = OperationPhase.waiting
  let trigger: OperationGraph.Trigger

  var predecessors = PredecessorCounts()

  /// The operation's own priority. `priority` also includes the priorities of the operations that
  /// wait for it.
  let ownPriority: Int
  var priority: Int
  /// A number that increases in the order in which operations become ready. Those that become ready together share it.
  var arrival: UInt64 = 0
  /// Distinguishes the operation's current entry in the ready queue from earlier ones.
  var stamp: UInt32 = 0
  /// The group of the operations that need the same resources.
  let group: Int
  let hasCondition: Bool
  let retry: Retry?
  let timeout: Duration?

  /// The number of attempts that have started.
  var attempts = 0

  var ending: Ending? {
    if case .ended(let ending) = phase { ending } else { nil }
  }

  var hasEnded: Bool { ending != nil }

  /// Whether the operation is ready, and `entry` is its current entry in the ready queue.
  func isReady(_ entry: ReadyEntry) -> Bool {
    if case .ready = phase { stamp == entry.stamp } else { false }
  }
}

/// Counts the predecessors of an operation: those that have ended, by the way in which they ended, and those that have
/// not ended.
struct PredecessorCounts: Sendable {
  var unended: Int32 = 0
  var succeeded: Int32 = 0
  var failed: Int32 = 0
  var cancelled: Int32 = 0
  var skipped: Int32 = 0
  /// The number of input values of the operation that are still missing. While any are missing, the operation cannot
  /// start, whatever its trigger.
  var missingValues: Int32 = 0

  /// Whether the operation can start.
  enum Verdict {
    case wait, start
    case never(Ending)
  }

  /// Decides whether an operation with this trigger can start. For `anySucceeded` and `anyFailed`, one predecessor that
  /// succeeded or failed, respectively, is enough. With any other trigger, the operation waits until all its
  /// predecessors have ended. So it does not end, and is not skipped, before them.
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

  /// Counts the end of a predecessor.
  ///
  /// - Parameter givesValue: whether the operation takes the predecessor's value.
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
