internal import AsyncRuntime

/// What the code on a thread's stack belongs to.
struct RunningChains: BitwiseCopyable {
  /// Where the job that runs was scheduled to: a handler for that place can run here.
  var job: UnsafeRawPointer?
  /// What the handler that runs belongs to.
  var handler: UnsafeRawPointer?
  /// The promise whose handlers are being called, and which of them are left.
  var telling: UnsafeMutableRawPointer?

  fileprivate static let slot = LaneSlot<RunningChains>()
}

extension LaneContext {
  /// What the code on the thread's stack belongs to. Only for use on the thread.
  var chains: UnsafeMutablePointer<RunningChains> { self[RunningChains.slot] }
}
