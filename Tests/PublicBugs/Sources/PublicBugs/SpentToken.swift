/// Two requests refresh an access token at the same time, and the second refresh is refused.
///
/// Source: logto-io/swift#60. `LogtoClient.getAccessToken` looks for a valid token, and otherwise awaits a new one from
/// the server. A second call that comes before the answer asks the server, too. A refresh token is valid once, so the
/// second call fails. The fix stores the task that asks, and later calls await its value.
///
/// The original is a class without a lock, whose fixed method runs on the main actor. Here both versions are actors.
enum SpentToken {
  static let bug = PublicBug(
    "two requests refresh an access token at the same time", in: "logto-io/swift", 60
  ) { version in
    let client = Client(version)
    async let first = client.accessToken()
    async let second = client.accessToken()
    _ = try await (first, second)
  }

  actor Client {
    private let server = Server()
    private let version: Version
    private var refreshToken = 0
    private var cached: String?
    private var refreshing: Task<String, any Error>?

    init(_ version: Version) { self.version = version }

    func accessToken() async throws -> String {
      if let cached { return cached }
      switch version {
      case .before:
        return try await refresh()
      case .after:
        if let refreshing { return try await refreshing.value }
        let task = Task { try await self.refresh() }
        refreshing = task
        let token = try await task.value
        refreshing = nil
        return token
      }
    }

    private func refresh() async throws -> String {
      let tokens = try await server.tokens(for: refreshToken)
      refreshToken = tokens.refresh
      cached = tokens.access
      return tokens.access
    }
  }

  actor Server {
    private var refreshToken = 0

    func tokens(for token: Int) throws -> (access: String, refresh: Int) {
      guard token == refreshToken else {
        throw Symptom("a refresh token was used twice: the user is signed out")
      }
      refreshToken += 1
      return ("access \(refreshToken)", refreshToken)
    }
  }
}
