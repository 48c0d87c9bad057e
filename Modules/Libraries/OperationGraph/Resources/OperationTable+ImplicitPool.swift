extension OperationTable {
  /// The pool for a run without a pool of its own. It has one unit of each resource that operations
  /// take only as a whole.
  var implicitPool: ResourcePool? {
    let needs = options.elements.flatMap(\.needs)
    guard !needs.isEmpty else { return nil }
    let shared = Set(needs.filter { $0.amount != Need.everything }.map(\.resource))
    let names = Set(needs.map(\.resource)).subtracting(shared)
    return ResourcePool(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
  }
}
