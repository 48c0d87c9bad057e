/// Suspends until `body` calls its argument. The call means that the work that `body` started has ended.
public func ended(_ body: (@escaping @Sendable () -> Void) -> Void) async {
  await withCheckedContinuation { continuation in body { continuation.resume() } }
}
