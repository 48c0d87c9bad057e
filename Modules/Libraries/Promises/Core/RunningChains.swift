internal import AsyncRuntime

/// The chains to which the code on a thread's stack belongs.
struct RunningChains: BitwiseCopyable {
  /// The context to which the running job was scheduled. A handler for the same scheduler can run here.
  var job: UnsafeRawPointer?
  /// The context of the chain whose handler is running.
  var handler: UnsafeRawPointer?
  /// The promise whose dependents are being notified, and the dependents that are left.
  var round: UnsafeMutableRawPointer?

  fileprivate static let slot = LaneSlot<RunningChains>()
}

extension LaneContext {
  /// The chains that the code on the thread's stack belongs to. Only for use on that thread.
  var chains: UnsafeMutablePointer<RunningChains> { self[RunningChains.slot] }
}
