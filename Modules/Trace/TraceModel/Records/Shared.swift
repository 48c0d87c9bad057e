/// Properties in an object of their own. An element of a long list refers to them in eight bytes. They are properties
/// that few elements have, or that many elements have in common.
@usableFromInline package final class Shared<Properties: Sendable>: Sendable {
  @usableFromInline package let properties: Properties

  package init(_ properties: Properties) { self.properties = properties }
}

extension Shared: Equatable where Properties: Equatable {
  @usableFromInline package static func == (left: Shared, right: Shared) -> Bool {
    left === right || left.properties == right.properties
  }
}

extension Shared: Hashable where Properties: Hashable {
  @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(properties) }
}
