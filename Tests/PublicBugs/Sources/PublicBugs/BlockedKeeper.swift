import Synchronization

/// A server deadlocks when it assigns a token while an older token expires.
///
/// Source: etcd-io/etcd#7492, as in the benchmark GoKer. While `assign` holds the server's lock, it sends a new token
/// over a channel to the keeper of the tokens. The keeper, which alone receives from the channel, takes the same lock
/// to delete a token that has expired. So each waits for the other. The fix replaces the channel with a lock.
///
/// The original is written in Go. A goroutine is a task here, the lock suspends, and the send to the channel suspends
/// until the keeper has received the token. The ticker waits for the keeper too, while Go's ticker drops ticks.
enum BlockedKeeper {
  static let bug = PublicBug(
    "a token is assigned while another one expires", in: "etcd-io/etcd", 7492
  ) { version in
    let provider = TokenProvider(version)
    let keeper = Task { await provider.keeper.run() }
    await provider.assign("first")
    // At about the same time, the keeper looks for tokens that have expired.
    try await Task.sleep(for: .milliseconds(1))
    await provider.assign("second")
    provider.keeper.stop()
    await keeper.value
  }

  final class TokenProvider: Sendable {
    let keeper: Keeper
    private let tokens = Tokens()
    private let lock: AsyncLock

    init(_ version: Version) {
      let lock = AsyncLock()
      let tokens = tokens
      self.lock = lock
      keeper = Keeper(version) { token in await lock.withLock { await tokens.remove(token) } }
    }

    func assign(_ token: String) async {
      await lock.withLock {
        await self.tokens.insert(token)
        await self.keeper.add(token)
      }
    }
  }

  actor Tokens {
    private var all: Set<String> = []
    func insert(_ token: String) { all.insert(token) }
    func remove(_ token: String) { all.remove(token) }
  }

  final class Keeper: Sendable {
    private enum Event {
      case add(String, UnsafeContinuation<Void, Never>)
      case tick(UnsafeContinuation<Void, Never>)
    }

    private let version: Version
    private let delete: @Sendable (String) async -> Void
    private let events: AsyncStream<Event>
    private let channel: AsyncStream<Event>.Continuation
    private let expiring = Mutex<[String]>([])

    init(_ version: Version, delete: @escaping @Sendable (String) async -> Void) {
      self.version = version
      self.delete = delete
      (events, channel) = AsyncStream.makeStream()
    }

    func add(_ token: String) async {
      switch version {
      case .before: await send { .add(token, $0) }
      case .after: expiring.withLock { $0.append(token) }
      }
    }

    func run() async {
      let ticker = Task {
        while !Task.isCancelled {
          try await Task.sleep(for: .milliseconds(1))
          await send { .tick($0) }
        }
      }
      for await event in events {
        switch event {
        case .add(let token, let sender):
          expiring.withLock { $0.append(token) }
          sender.resume()
        case .tick(let sender):
          sender.resume()
          let expired = expiring.withLock { tokens in
            defer { tokens = [] }
            return tokens
          }
          for token in expired { await delete(token) }
        }
      }
      ticker.cancel()
    }

    func stop() { channel.finish() }

    /// Returns when the keeper has received the event.
    private func send(_ event: (UnsafeContinuation<Void, Never>) -> Event) async {
      await withUnsafeContinuation { continuation in
        if case .terminated = channel.yield(event(continuation)) { continuation.resume() }
      }
    }
  }
}
