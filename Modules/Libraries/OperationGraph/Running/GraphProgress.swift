/// The progress of a run: the number of its operations in each state.
public struct GraphProgress: Hashable, Sendable {
  public internal(set) var waiting = 0
  public internal(set) var ready = 0
  public internal(set) var running = 0
  public internal(set) var succeeded = 0
  public internal(set) var failed = 0
  public internal(set) var cancelled = 0
  public internal(set) var skipped = 0

  /// The number of operations. It grows if operations are added while the graph runs.
  public var total: Int { waiting + ready + running + finished }
  /// How many operations have ended, whether they ran or not.
  public var finished: Int { succeeded + failed + cancelled + skipped }
  /// The fraction of operations that have ended, from 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(finished) / Double(total) }

  init(_ counts: PhaseCounts) {
    waiting = counts.waiting + counts.asking + counts.delayed
    ready = counts.ready + counts.starting
    running = counts.running
    succeeded = counts.succeeded
    failed = counts.failed
    cancelled = counts.cancelled
    skipped = counts.skipped
  }
}
