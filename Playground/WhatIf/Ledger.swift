import AsyncPatterns

/// How often each leaf of a simulated composition has started in the run under way, and what had to be
/// assumed of those of which too little was measured.
///
/// It begins anew with each run: a run is known by its runtime.
public final class Ledger: Sendable {
  private struct State: Sendable {
    var run: RunIdentity?
    var counts: [Int: Int] = [:]
    var assumed: Set<Int> = []
    var assumptions: [String] = []
  }

  private let state = Locked(State())

  init() {}

  /// What had to be assumed in the last run, in whole sentences, each leaf's once.
  public var assumptions: [String] { state.withLock { $0.assumptions } }

  /// How often the leaf has started before in the run of that runtime.
  func starts(of leaf: Int, on runtime: any Runtime) -> Int {
    state.withLock { state in
      if state.run?.isRun(of: runtime) != true { state = State(run: RunIdentity(runtime)) }
      defer { state.counts[leaf, default: 0] += 1 }
      return state.counts[leaf, default: 0]
    }
  }

  func assume(_ assumption: Assumption, of leaf: Int, _ path: String) {
    state.withLock { state in
      guard state.assumed.insert(leaf).inserted else { return }
      state.assumptions.append(assumption.sentence(about: path))
    }
  }
}

/// Tells one run from the next without keeping its runtime.
private struct RunIdentity: @unchecked Sendable {
  // Safe to share: nothing but the identity of the object is asked for, and weak references may be read
  // from any thread.
  private weak let runtime: AnyObject?

  init(_ runtime: any Runtime) { self.runtime = runtime as AnyObject }

  func isRun(of other: any Runtime) -> Bool { runtime === other as AnyObject }
}
