/// A simple hand-written queue: closures go into an AsyncStream, and one task calls them.
final class StreamQueue: Sendable {
  private let continuation: AsyncStream<@Sendable () async -> Void>.Continuation

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
    self.continuation = continuation
    Task.detached { for await work in stream { await work() } }
  }

  deinit { continuation.finish() }

  func enqueue(_ work: @escaping @Sendable () async -> Void) { continuation.yield(work) }
}
