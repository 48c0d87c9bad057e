import AsyncSimulation

/// A log of what happened, in order.
public final class Log: Sendable {
  private let lines = Locked<[String]>([])

  public init() {}

  public var entries: [String] { lines.withLock { $0 } }
  public func append(_ entry: String) { lines.withLock { $0.append(entry) } }
}
