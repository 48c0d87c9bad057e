/// An image that two views ask for at the same time is never loaded.
///
/// Source: planetary-social/planetary-ios#767. `BlobCache` added a completion handler to the actor `RequestManager`,
/// and asked it in a second call for the number of handlers. The request that counted one handler had to load the
/// image. When both requests added their handlers first, both counted two. The fix returns from the first call whether
/// it was the first request.
enum UnloadedBlob {
  static let bug = PublicBug(
    "an image that is requested twice is never loaded", in: "planetary-social/planetary-ios", 767
  ) { version in
    let cache = BlobCache(version)
    async let first = cache.image(for: "blob")
    async let second = cache.image(for: "blob")
    _ = await (first, second)
  }

  final class BlobCache: Sendable {
    private let requestManager = RequestManager()
    private let version: Version

    init(_ version: Version) { self.version = version }

    func image(for identifier: String) async -> String {
      await withUnsafeContinuation { continuation in
        request(identifier) { continuation.resume(returning: $0) }
      }
    }

    private func request(
      _ identifier: String, completion: @escaping @Sendable (String) -> Void
    ) {
      Task.detached {
        let isFirst = await self.requestManager.add(completion, for: identifier)
        switch self.version {
        case .before:
          if await self.requestManager.numberOfCompletions(for: identifier) == 1 {
            await self.load(identifier)
          }
        case .after:
          if isFirst { await self.load(identifier) }
        }
      }
    }

    private func load(_ identifier: String) async {
      try? await Task.sleep(for: .milliseconds(1))
      for completion in await requestManager.popCompletions(for: identifier) {
        completion("image of \(identifier)")
      }
    }
  }

  actor RequestManager {
    private var completions: [String: [@Sendable (String) -> Void]] = [:]

    func numberOfCompletions(for identifier: String) -> Int { completions[identifier]?.count ?? 0 }

    /// Returns whether this is the first request of the blob.
    func add(_ completion: @escaping @Sendable (String) -> Void, for identifier: String) -> Bool {
      completions[identifier, default: []].append(completion)
      return completions[identifier]?.count == 1
    }

    func popCompletions(for identifier: String) -> [@Sendable (String) -> Void] {
      completions.removeValue(forKey: identifier) ?? []
    }
  }
}
