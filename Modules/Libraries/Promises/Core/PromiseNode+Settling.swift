import AsyncRuntime
import Synchronization

/// How far it is, and who settles it: in the order in which that goes.
extension PromiseNode {
  final var isSettled: Bool { state.load(ordering: .acquiring) & Flag.settled != 0 }
  final var isClaimed: Bool { state.load(ordering: .acquiring) & Flag.claimed != 0 }
  final var isSealed: Bool { state.load(ordering: .acquiring) & Flag.sealed != 0 }
  final var isGone: Bool { root().state.load(ordering: .acquiring) & Flag.gone != 0 }
  @usableFromInline
  final var hasFailed: Bool { state.load(ordering: .relaxed) & Flag.failed != 0 }
  final var isCancelled: Bool { state.load(ordering: .acquiring) & Flag.cancelled != 0 }

  /// - Returns: whether the caller is the one who may resolve it.
  @usableFromInline
  final func claim() -> Bool {
    state.bitwiseOr(Flag.claimed, ordering: .acquiringAndReleasing).oldValue
      & (Flag.claimed | Flag.sealed) == 0
  }

  /// - Returns: whether the caller is the one who writes the result.
  @usableFromInline
  final func seal() -> Bool { seal(0) }

  /// Claims and seals it at once, unless it has been claimed.
  @usableFromInline
  final func claimAndSeal() -> Bool {
    var word = state.load(ordering: .relaxed)
    // Who has only claimed it has yet to seal it: nobody else may.
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
          // Nobody will run it, so what it holds is let go of at once.
          holdsStep = false
          destroyStep()
        }
        return true
      }
      word = now
    }
    return false
  }

  /// Makes the result known; only for who has sealed it and written that.
  @usableFromInline
  final func publish(failed: Bool) { conclude(Flag.settled | (failed ? Flag.failed : 0)) }

  /// It will never be settled; only for who has sealed it. Who listens is let go of, too.
  final func letGo() { conclude(Flag.gone) }

  private func conclude(_ flags: UInt) {
    if isRecorded {
      recordConclusion(flags) { concludeUnrecorded(flags) }
    } else {
      concludeUnrecorded(flags)
    }
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
    concludeTelling(flags, word)
  }

  /// Concludes one that has listeners, and tells them.
  private func concludeTelling(_ flags: UInt, _ expected: UInt) {
    let lane = LaneContext.current
    let mustWait = lane.isPerforming
    var word = expected
    while true {
      // Whoever else holds listeners may have put them back, or taken them out.
      let tells = word & Flag.list != 0 && word & Flag.busy == 0
      let takes = tells && !mustWait
      let (isDone, now) = state.weakCompareExchange(
        expected: word,
        desired: (takes ? word & ~Flag.list : word) | flags | (tells ? Flag.busy : 0),
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      guard isDone else {
        word = now
        continue
      }
      if takes {
        lane.beginPerforming()
        tell(word | flags, in: lane)
        run(in: lane)
        lane.endPerforming()
      } else if tells {
        lane.perform(self)
      }
      return
    }
  }
}
