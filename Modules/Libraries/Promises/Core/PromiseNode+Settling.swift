import AsyncRuntime
import Synchronization

/// The states of a node (claimed, sealed, concluded, in this order), and the code that changes them.
extension PromiseNode {
  final var isSettled: Bool { state.load(ordering: .acquiring) & Flag.settled != 0 }
  final var isClaimed: Bool { state.load(ordering: .acquiring) & Flag.claimed != 0 }
  final var isSealed: Bool { state.load(ordering: .acquiring) & Flag.sealed != 0 }
  final var isGone: Bool { root().state.load(ordering: .acquiring) & Flag.gone != 0 }
  @usableFromInline
  final var hasFailed: Bool { state.load(ordering: .relaxed) & Flag.failed != 0 }
  final var isCancelled: Bool { state.load(ordering: .acquiring) & Flag.cancelled != 0 }

  /// - Returns: whether the caller now has the right to resolve the node.
  @usableFromInline
  final func claim() -> Bool {
    state.bitwiseOr(Flag.claimed, ordering: .acquiringAndReleasing).oldValue
      & (Flag.claimed | Flag.sealed) == 0
  }

  /// - Returns: whether the caller must now write the result.
  @usableFromInline
  final func seal() -> Bool { seal(0) }

  /// Claims and seals the node in one operation, unless it has been claimed.
  @usableFromInline
  final func claimAndSeal() -> Bool {
    var word = state.load(ordering: .relaxed)
    // A node that is claimed but not sealed can be sealed only by a cancellation or by the code
    // that has claimed it.
    while word & (Flag.claimed | Flag.sealed) == 0 {
      let (isDone, now) = state.weakCompareExchange(
        expected: word, desired: word | Flag.claimed | Flag.sealed,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if isDone { return true }
      word = now
    }
    return false
  }

  final func seal(_ flags: UInt) -> Bool {
    var word = state.load(ordering: .relaxed)
    while word & Flag.sealed == 0 {
      let (isDone, now) = state.weakCompareExchange(
        expected: word, desired: word | Flag.sealed | Flag.claimed | flags,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if isDone {
        if word & Flag.claimed == 0, holdsStep {
          // The step will never run, so the objects that it retains are released immediately.
          holdsStep = false
          destroyStep()
        }
        return true
      }
      word = now
    }
    return false
  }

  /// Publishes the result. Only for the code that has sealed the node and written the result.
  @usableFromInline
  final func publish(failed: Bool) { conclude(Flag.settled | (failed ? Flag.failed : 0)) }

  /// Abandons the node: it will never be settled, and its dependents are abandoned too. Only for the code that has
  /// sealed it.
  final func abandon() { conclude(Flag.gone) }

  private func conclude(_ flags: UInt) {
    if isRecorded {
      recordConclusion(flags) { concludeUnrecorded(flags) }
    } else {
      concludeUnrecorded(flags)
    }
    wasConcluded()
  }

  private func concludeUnrecorded(_ flags: UInt) {
    var word = state.load(ordering: .relaxed)
    while word & Flag.list == 0 || word & Flag.busy != 0 {
      let (isDone, now) = state.weakCompareExchange(
        expected: word, desired: word | flags,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if isDone { return }
      word = now
    }
    concludeNotifying(flags, word)
  }

  /// Concludes a node that has dependents, and notifies them.
  private func concludeNotifying(_ flags: UInt, _ expected: UInt) {
    let lane = LaneContext.current
    let mustWait = lane.isPerforming
    var word = expected
    while true {
      // Another thread that has taken the list may have put it back, or emptied it.
      let notifies = word & Flag.list != 0 && word & Flag.busy == 0
      let takes = notifies && !mustWait
      let (isDone, now) = state.weakCompareExchange(
        expected: word,
        desired: (takes ? word & ~Flag.list : word) | flags | (notifies ? Flag.busy : 0),
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      guard isDone else {
        word = now
        continue
      }
      if takes {
        lane.beginPerforming()
        notify(word | flags, in: lane)
        run(in: lane)
        lane.endPerforming()
      } else if notifies {
        lane.perform(self)
      }
      return
    }
  }
}
