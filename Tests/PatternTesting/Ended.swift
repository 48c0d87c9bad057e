/// Suspends until `body` calls its argument, which means that the work that it started has ended.
public func ended(_ body: (@escaping @Sendable () -> Void) -> Void) async {
  await withCheckedContinuation { continuation in body { continuation.resume() } }
}
