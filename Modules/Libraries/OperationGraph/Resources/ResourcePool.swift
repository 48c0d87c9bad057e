internal import AsyncRuntime

/// Resources of which there is so much: licences, connections, a disk. One run uses it, or several together.
///
/// ```swift
/// let pool = ResourcePool(["database": 2, "screen": 1])
/// build.add("query", with: .needs("database")) { try await ask() }
/// build.add("show", with: .exclusive("screen")) { show() }
/// try await build.run(resources: pool)
/// ```
///
/// - An operation takes all that it needs together and gives it back when it has ended; until then it holds
///   nothing. So operations cannot wait for each other in a circle.
/// - Nobody takes what somebody waits for whose turn it is before, the higher priority first and then who was
///   ready first: so nobody waits for ever while others come and go. Who wants nothing in common with it
///   goes ahead.
/// - A need of more than there is is refused before the run begins.
public final class ResourcePool: Sendable {
  /// How much there is of each.
  public let limits: [String: Int]
  let numbers: [String: Int]
  let arrivals = Arrivals()
  /// Never nil: optional, since a run without a pool decides with none.
  let state: Locked<ResourceState?>

  /// - Parameter limits: how much there is of each resource; what is below zero counts as none.
  public init(_ limits: [String: Int]) {
    self.limits = limits.mapValues { max($0, 0) }
    let names = limits.keys.sorted()
    numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    state = Locked(
      Optional(ResourceState(limits: names.map { max(limits[$0] ?? 0, 0) })))
  }

  /// What an operation needs, by numbers; a need of everything means the limit.
  func resolve(
    _ needs: [Need], of operation: String
  ) throws(ResourceError) -> [ResourceState.Amount] {
    var amounts: [Int: Int] = [:]
    for need in needs {
      guard let number = numbers[need.resource], let limit = limits[need.resource] else {
        throw ResourceError(operation: operation, need: need, limit: nil)
      }
      let amount = (amounts[number] ?? 0).addingReportingOverflow(
        need.amount == Need.everything ? limit : need.amount)
      guard !amount.overflow, amount.partialValue <= limit, limit > 0 else {
        throw ResourceError(operation: operation, need: need, limit: limit)
      }
      amounts[number] = amount.partialValue
    }
    return amounts.sorted { $0.key < $1.key }.map {
      ResourceState.Amount(resource: $0.key, amount: $0.value)
    }
  }
}

/// An operation needs more of a resource than there is, so that it could never start.
public struct ResourceError: Error, Hashable, CustomStringConvertible {
  /// What reports call the operation.
  public let operation: String
  public let resource: String
  /// How much it needs; nil for all of it.
  public let needed: Int?
  /// How much there is; nil if the pool has none of that name.
  public let limit: Int?

  init(operation: String, need: Need, limit: Int?) {
    self.operation = operation
    resource = need.resource
    needed = need.amount == Need.everything ? nil : need.amount
    self.limit = limit
  }

  public var description: String {
    let much = needed.map { "\($0) of “\(resource)”" } ?? "“\(resource)” for itself"
    guard let limit else {
      return
        "“\(operation)” needs \(much), and the run's pool has no such resource: give the run a "
        + "ResourcePool with a limit for it"
    }
    return
      "“\(operation)” needs \(much) at once, and there is \(limit == 0 ? "none" : "\(limit)"): "
      + "raise the limit or ask for less"
  }
}
