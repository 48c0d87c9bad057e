internal import AsyncRuntime

/// Resources in limited amounts, such as licences, connections or a disk. One run uses the pool, or several share it.
///
/// ```swift
/// let pool = ResourcePool(["database": 2, "screen": 1])
/// build.add("query", with: .needs("database")) { try await ask() }
/// build.add("show", with: .exclusive("screen")) { show() }
/// try await build.run(resources: pool)
/// ```
///
/// - An operation takes everything that it needs together, and returns it when it has ended. It
///   holds nothing while it waits, so operations cannot deadlock.
/// - No operation takes a resource that an operation ahead of it waits for. An operation with a
///   higher priority is ahead. At equal priority, the operation that was ready first is ahead. So
///   no operation starves while others come and go. An operation may overtake another one if they
///   need none of the same resources.
/// - A need that exceeds the limit is rejected before the run starts.
public final class ResourcePool: Sendable {
  /// The available amount of each resource.
  public let limits: [String: Int]
  let numbers: [String: Int]
  let arrivals = Arrivals()
  /// Never nil. The type is optional because runs without a pool use the same code, with nil.
  let state: Locked<ResourceState?>

  /// - Parameter limits: the available amount of each resource; below zero counts as none.
  public init(_ limits: [String: Int]) {
    self.limits = limits.mapValues { max($0, 0) }
    let names = limits.keys.sorted()
    numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    state = Locked(
      Optional(ResourceState(limits: names.map { max(limits[$0] ?? 0, 0) })))
  }

  /// The amounts that an operation needs, by the number of the resource. A need of everything means the limit.
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

/// An operation needs more of a resource than the limit, so it could never start.
public struct ResourceError: Error, Hashable, CustomStringConvertible {
  /// The name of the operation in reports.
  public let operation: String
  public let resource: String
  /// The amount that the operation needs; nil for all of the resource.
  public let needed: Int?
  /// The available amount; nil if the pool has no resource of that name.
  public let limit: Int?

  init(operation: String, need: Need, limit: Int?) {
    self.operation = operation
    resource = need.resource
    needed = need.amount == Need.everything ? nil : need.amount
    self.limit = limit
  }

  public var description: String {
    let much = needed.map { "\($0) of “\(resource)”" } ?? "exclusive use of “\(resource)”"
    guard let limit else {
      return
        "“\(operation)” needs \(much), but the run's pool has no such resource: give the run a "
        + "ResourcePool with a limit for it"
    }
    return
      "“\(operation)” needs \(much), but the limit is \(limit): raise the limit or ask for "
      + "less"
  }
}
