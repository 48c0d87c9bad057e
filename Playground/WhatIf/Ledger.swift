import AsyncPatterns

/// Counts the starts of each leaf of a simulated composition during a run, and records the assumptions about leaves
/// that were not measured completely.
///
/// It is reset when a new run starts. A run is identified by its runtime.
public final class Ledger: Sendable {
  private struct State: Sendable {
    var run: RunIdentity?
    var counts: [Int: Int] = [:]
    var assumed: Set<Int> = []
    var assumptions: [String] = []
  }

  private let state = Locked(State())

  init() {}

  /// The assumptions of the last run, as complete sentences; one for each leaf.
  public var assumptions: [String] { state.withLock { $0.assumptions } }

  /// Counts a start of the leaf in the run of that runtime. Returns the number of its earlier starts in that run.
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

/// Distinguishes runs without a strong reference to their runtimes.
private struct RunIdentity: @unchecked Sendable {
  // Safe to share: only the identity of the object is compared, and weak references can be read on any thread.
  private weak let runtime: AnyObject?

  init(_ runtime: any Runtime) { self.runtime = runtime as AnyObject }

  func isRun(of other: any Runtime) -> Bool { runtime === other as AnyObject }
}
