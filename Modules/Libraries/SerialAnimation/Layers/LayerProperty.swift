/// A property of layers that can be animated.
///
/// ```swift
/// extension LayerProperty where Value == Double {
///   static var progress: LayerProperty { LayerProperty("progress", default: 0) }
/// }
/// layer[.progress] = 0.5
/// ```
///
/// Two properties with the same name and the same type of values are the same property.
public struct LayerProperty<Value: Animatable>: Sendable {
  public let name: String
  /// The value of the property in a layer where it was never set.
  public let defaultValue: Value

  public init(_ name: String, default defaultValue: Value) {
    self.name = name
    self.defaultValue = defaultValue
  }

  var key: PropertyKey { PropertyKey(name: name, type: ObjectIdentifier(Value.self)) }
}

/// Identifies a property of a layer.
struct PropertyKey: Hashable, Sendable {
  let name: String
  let type: ObjectIdentifier
}

extension LayerProperty where Value == Double {
  /// From 0, which is invisible, to 1.
  public static var opacity: LayerProperty { LayerProperty("opacity", default: 1) }
  /// The factor by which the layer's size is multiplied.
  public static var scale: LayerProperty { LayerProperty("scale", default: 1) }
  /// The angle in radians.
  public static var rotation: LayerProperty { LayerProperty("rotation", default: 0) }
}

extension LayerProperty where Value == Point {
  /// The position of the layer's centre, in the coordinates of the layer's parent.
  public static var position: LayerProperty { LayerProperty("position", default: .zero) }
}

extension LayerProperty where Value == Rect {
  /// The rectangle that the layer covers, in the layer's own coordinates.
  public static var bounds: LayerProperty { LayerProperty("bounds", default: .zero) }
}

extension LayerProperty where Value == Color {
  public static var backgroundColor: LayerProperty {
    LayerProperty("backgroundColor", default: .zero)
  }
}
