/// The properties that few elements of a long list have. The other elements have no such object, which saves memory.
@usableFromInline package final class Rare<Properties: Sendable>: Sendable {
  @usableFromInline package let properties: Properties

  package init(_ properties: Properties) { self.properties = properties }
}

extension Rare: Equatable where Properties: Equatable {
  @usableFromInline package static func == (left: Rare, right: Rare) -> Bool {
    left.properties == right.properties
  }
}

extension Rare: Hashable where Properties: Hashable {
  @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(properties) }
}
