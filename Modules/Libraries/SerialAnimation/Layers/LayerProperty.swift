/// A property that layers have and that can be animated.
///
/// ```swift
/// extension LayerProperty where Value == Double {
///   static var progress: LayerProperty { LayerProperty("progress", default: 0) }
/// }
/// layer[.progress] = 0.5
/// ```
///
/// Two of one name and one type of values are the same property.
public struct LayerProperty<Value: Animatable>: Sendable {
  public let name: String
  /// What a layer has that was never given another value.
  public let defaultValue: Value

  public init(_ name: String, default defaultValue: Value) {
    self.name = name
    self.defaultValue = defaultValue
  }

  var key: PropertyKey { PropertyKey(name: name, type: ObjectIdentifier(Value.self)) }
}

/// What tells one property of a layer from another.
struct PropertyKey: Hashable, Sendable {
  let name: String
  let type: ObjectIdentifier
}

extension LayerProperty where Value == Double {
  /// From 0, which cannot be seen, to 1.
  public static var opacity: LayerProperty { LayerProperty("opacity", default: 1) }
  /// How many times its size.
  public static var scale: LayerProperty { LayerProperty("scale", default: 1) }
  /// In radians.
  public static var rotation: LayerProperty { LayerProperty("rotation", default: 0) }
}

extension LayerProperty where Value == Point {
  /// Of its centre, in the layer above.
  public static var position: LayerProperty { LayerProperty("position", default: .zero) }
}

extension LayerProperty where Value == Rect {
  /// In its own coordinates.
  public static var bounds: LayerProperty { LayerProperty("bounds", default: .zero) }
}

extension LayerProperty where Value == Color {
  public static var backgroundColor: LayerProperty {
    LayerProperty("backgroundColor", default: .zero)
  }
}
