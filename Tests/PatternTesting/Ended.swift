/// Suspends until `body` says that what it began has ended.
public func ended(_ body: (@escaping @Sendable () -> Void) -> Void) async {
  await withCheckedContinuation { continuation in body { continuation.resume() } }
}
