import AsyncRuntime
import Synchronization

/// The storage of a promise that starts a chain. It knows which code to notify when the promise is cancelled.
@usableFromInline
class RootStorage<Success: Sendable, Failure: Error>: PromiseStorage<Success, Failure>,
  @unchecked Sendable
{
  /// The cancellation that calls the handlers; created when `onCancel` adds the first one. Reading an
  /// `AtomicLazyReference` would look up its generic type each time.
  private final let reference = Atomic<Unmanaged<Cancellation>?>(nil)

  @usableFromInline
  init(_ context: ContextReference, _ site: Site, whenUnused: UnusedPolicy, flags: UInt = 0) {
    super.init(context, site, flags: flags | (whenUnused == .cancel ? Flag.cancelsUnused : 0))
    if contextReference.isCancellable { watchCancellation() }
  }

  deinit { reference.load(ordering: .acquiring)?.release() }

  private final var cancellation: Cancellation? {
    reference.load(ordering: .acquiring)?.takeUnretainedValue()
  }

  private final func makeCancellation() -> Cancellation {
    let made = Unmanaged.passRetained(Cancellation())
    let (isStored, earlier) = reference.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    if !isStored { made.release() }
    return (earlier ?? made).takeUnretainedValue()
  }

  /// Calls `handler` once if the promise is cancelled, or immediately if it has already been cancelled.
  final func onCancel(_ handler: @escaping @Sendable () -> Void) {
    if isSealed, !isCancelled { return }
    let cancellation = cancellation ?? makeCancellation()
    cancellation.onCancel(handler)
    // This write changes no bits, but it orders this code with a cancellation. Either the cancelling thread finds the
    // handler, or this code finds the cancellation. The same holds for the thread that settles the promise.
    let word = state.bitwiseOr(0, ordering: .acquiringAndReleasing).oldValue
    if word & Flag.cancelled != 0 {
      cancellation.cancel()
    } else if word & (Flag.settled | Flag.gone) != 0 {
      cancellation.releaseHandlers()
    }
  }

  override func wasCancelled() { cancellation?.cancel() }

  /// The handlers often retain the work that produces the value, which often retains the resolver.
  override func wasConcluded() {
    if !isCancelled { cancellation?.releaseHandlers() }
  }
}

/// What happens to a promise when its last handler has been cancelled.
public enum UnusedPolicy: Sendable {
  /// The promise stays pending and can still be settled.
  case keep
  /// The promise is cancelled, and so notifies the code that produces its value. Promises that operators make from it
  /// have the same setting.
  case cancel
}
