/// An actor with a reentrancy bug: another call can run between a check and the code that relies on it.
public actor Cache {
  private var stored: [String: Int] = [:]
  public private(set) var fetches = 0

  public init() {}

  public func value(_ key: String) async throws -> Int {
    if let value = stored[key] { return value }
    fetches += 1
    try await Task.sleep(for: .seconds(3600))
    stored[key] = 7
    return 7
  }
}
