import Synchronization

/// A request that fails while its client disconnects is resumed twice.
///
/// Source: modelcontextprotocol/swift-sdk#113. The actor `Client` keeps the continuation of each pending request. When
/// sending failed, it resumed the continuation without checking that the request was still pending. `disconnect()`,
/// which may enter the actor while the transport sends, had already resumed all of them. Resuming one a second time
/// crashes. The fix resumes only a request that it could remove from the pending ones.
///
/// The rewritten request counts how often it is resumed, instead of crashing.
enum ResumedTwice {
  static let bug = PublicBug(
    "a request is resumed twice when its client disconnects", in: "modelcontextprotocol/swift-sdk",
    113
  ) { version in
    let client = Client(version)
    let request = Task { try await client.send(id: 1) }
    let disconnection = Task { await client.disconnect() }
    _ = await request.result
    await disconnection.value
    await client.waitForSends()
    let resumptions = await client.resumptions
    if resumptions > 1 { throw Symptom("a request was resumed \(resumptions) times: a crash") }
  }

  struct NotConnected: Error {}

  actor Client {
    private var pendingRequests: [Int: Request] = [:]
    private var requests: [Request] = []
    private var sends: [Task<Void, Never>] = []
    private let transport = Transport()
    private let version: Version

    init(_ version: Version) { self.version = version }

    func send(id: Int) async throws -> String {
      try await withUnsafeThrowingContinuation { continuation in
        let request = Request(continuation)
        requests.append(request)
        sends.append(
          Task {
            self.pendingRequests[id] = request
            do {
              try await self.transport.send()
            } catch {
              switch self.version {
              case .before:
                request.resume(throwing: error)
                self.pendingRequests[id] = nil
              case .after:
                self.pendingRequests.removeValue(forKey: id)?.resume(throwing: error)
              }
            }
          })
      }
    }

    func disconnect() {
      let cancelled = pendingRequests
      pendingRequests = [:]
      for request in cancelled.values { request.resume(throwing: NotConnected()) }
    }

    func waitForSends() async {
      for send in sends { await send.value }
    }

    var resumptions: Int { requests.map(\.resumptions).max() ?? 0 }
  }

  /// A connection that breaks while it sends.
  actor Transport {
    func send() throws { throw NotConnected() }
  }

  final class Request: Sendable {
    private let continuation: UnsafeContinuation<String, any Error>
    private let count = Atomic(0)

    init(_ continuation: UnsafeContinuation<String, any Error>) {
      self.continuation = continuation
    }

    var resumptions: Int { count.load(ordering: .relaxed) }

    func resume(throwing error: any Error) {
      if count.add(1, ordering: .relaxed).oldValue == 0 { continuation.resume(throwing: error) }
    }
  }
}
