/// Receives calls from threads outside a simulation that affect its tasks. It is called on those
/// threads.
///
/// It is referenced weakly. Weak references make reference counting slower, so it is not the same
/// object as the ``JobReceiver``, which receives every job.
public protocol OutsideReceiver: AnyObject, Sendable {
  /// The job becomes ready after `delay` nanoseconds.
  func receiveFromOutside(_ job: SwiftJob, after delay: Int64)
  /// Calls `body` on a thread of the simulation.
  func performFromOutside(_ body: @escaping @Sendable () -> Void)
}
