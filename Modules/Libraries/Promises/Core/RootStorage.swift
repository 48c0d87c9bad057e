import AsyncRuntime
import Synchronization

/// The storage of a promise that begins a chain: it knows who works for it.
@usableFromInline
class RootStorage<Success: Sendable, Failure: Error>: PromiseStorage<Success, Failure>,
  @unchecked Sendable
{
  /// There from when somebody wants to be told of it.
  private final let cancellation = AtomicLazyReference<Cancellation>()

  @usableFromInline
  init(_ context: ContextReference, _ site: Site, unused: UnusedPromise, flags: UInt = 0) {
    super.init(context, site, flags: flags | (unused == .isCancelled ? Flag.cancelsUnused : 0))
    if contextReference.isCancellable { watchCancellation() }
  }

  /// Calls `handler` once if the promise is cancelled, at once if it has been.
  final func onCancel(_ handler: @escaping @Sendable () -> Void) {
    if isSealed, !isCancelled { return }
    let cancellation = cancellation.storeIfNil(Cancellation())
    cancellation.onCancel(handler)
    // Written though it changes nothing: who cancels it finds the handler, or is found here.
    let word = state.bitwiseOr(0, ordering: .acquiringAndReleasing).oldValue
    if word & Flag.cancelled != 0 { cancellation.cancel() }
  }

  override func wasCancelled() { cancellation.load()?.cancel() }
}

/// What becomes of a promise whose last listener has been cancelled.
public enum UnusedPromise: Sendable {
  /// It goes on.
  case goesOn
  /// It is cancelled, and so tells who works for it. What operators make of it is like that, too.
  case isCancelled
}
