/// Receives what threads outside of a simulation do to its tasks; called on those threads.
///
/// It is referred to weakly. An object that is referred to so counts its references more slowly, so it is not the one
/// that receives every job.
public protocol OutsideReceiver: AnyObject, Sendable {
  /// The job is ready after that many nanoseconds.
  func receiveFromOutside(_ job: SwiftJob, after delay: Int64)
  /// Calls `body` on a thread of the simulation.
  func performFromOutside(_ body: @escaping @Sendable () -> Void)
}
