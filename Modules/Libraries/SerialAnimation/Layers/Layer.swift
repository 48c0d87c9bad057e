internal import AsyncRuntime

/// An object with properties that can be animated, like those of a view, but without a view or a
/// screen.
///
/// ```swift
/// let label = Layer("label")
/// label.opacity = 0
/// animator.animate(withDuration: .milliseconds(300)) { label.opacity = 1 }
/// label.opacity               // 1, what it has been set to
/// label.presentation.opacity  // 0 … 1, what is shown now
/// ```
///
/// A property immediately has the value that it was set to last, even while it is animated. ``presentation`` has the
/// values that are shown in the meantime.
///
/// A property is animated if it is set inside the `animations` closure of an ``Animator``, on the closure's thread and
/// before the closure returns. Set anywhere else, it shows the new value immediately, and its running animation ends
/// unfinished. Core Animation would instead show that animation to its end.
///
/// An animation that has an end retains its layer until then. An animation that repeats forever does not: it ends
/// unfinished when its layer is released. Its completion must therefore not retain the layer.
public final class Layer: Sendable {
  public let name: String
  private let slots = Locked<[PropertyKey: any LayerSlot]>([:])

  public init(_ name: String = "layer") { self.name = name }

  deinit {
    for slot in slots.withLock({ Array($0.values) }) { slot.interrupt() }
  }

  /// The value that the property was set to last.
  public subscript<Value>(property: LayerProperty<Value>) -> Value {
    get { slot(of: property).model }
    set {
      if let block = AnimationBlock.current {
        block.change(self, property, to: newValue)
      } else {
        exchange(property, Slot(model: newValue)).interrupt()
      }
    }
  }

  /// The values that are shown now. They are exact for this instant, independent of frames.
  public var presentation: Presentation { Presentation(of: slots.withLock { $0 }) }

  /// Whether any of its properties is animated.
  public var isAnimated: Bool { slots.withLock { $0.values.contains { $0.isAnimated } } }

  /// Ends all animations of the layer unfinished. The layer then shows the values that its properties were set to.
  public func removeAllAnimations() {
    let removed = slots.withLock { slots -> [any LayerSlot] in
      let removed = slots.values.filter(\.isAnimated)
      for (key, slot) in slots { slots[key] = slot.withoutAnimation }
      return removed
    }
    for slot in removed { slot.interrupt() }
  }

  /// Ends the animation of one property unfinished. The layer then shows the value that the property was set to.
  public func removeAnimation<Value>(of property: LayerProperty<Value>) {
    let slot = slot(of: property)
    guard let animation = slot.animation, replace(animation, of: property, by: nil) else { return }
    animation.interrupt()
  }

  // MARK: For animations

  func slot<Value>(of property: LayerProperty<Value>) -> Slot<Value> {
    slots.withLock { $0[property.key] as? Slot<Value> } ?? Slot(model: property.defaultValue)
  }

  /// Replaces the slot of a property, and returns the old one.
  func exchange<Value>(_ property: LayerProperty<Value>, _ slot: Slot<Value>) -> Slot<Value> {
    let old = slots.withLock { slots -> Slot<Value>? in
      defer { slots[property.key] = slot }
      return slots[property.key] as? Slot<Value>
    }
    return old ?? Slot(model: property.defaultValue)
  }

  /// Sets a property that `animation` continues to animate. Returns false if the property is no
  /// longer animated by `animation`.
  func set<Value>(
    _ property: LayerProperty<Value>, to value: Value, under animation: PropertyAnimation<Value>
  ) -> Bool {
    slots.withLock { slots in
      guard let slot = slots[property.key] as? Slot<Value>, slot.animation === animation else {
        return false
      }
      slots[property.key] = Slot(model: value, animation: animation)
      return true
    }
  }

  /// Replaces the animation `old` with another one, or with none. Returns false if the property is
  /// no longer animated by `old`.
  func replace<Value>(
    _ old: PropertyAnimation<Value>, of property: LayerProperty<Value>,
    by new: PropertyAnimation<Value>?
  ) -> Bool {
    slots.withLock { slots in
      guard let slot = slots[property.key] as? Slot<Value>, slot.animation === old else {
        return false
      }
      slots[property.key] = Slot(model: slot.model, animation: new)
      return true
    }
  }
}
