internal import AsyncRuntime

/// Something with properties that can be animated, and no screen: what a view shows, without the view.
///
/// ```swift
/// let label = Layer("label")
/// label.opacity = 0
/// animator.animate(withDuration: .milliseconds(300)) { label.opacity = 1 }
/// label.opacity               // 1, what it has been set to
/// label.presentation.opacity  // 0 … 1, what is shown now
/// ```
///
/// A property has the value that it was set to last, at once, also while it is animated. What is shown
/// meanwhile tells ``presentation``.
///
/// Set inside the `animations` of an ``Animator`` (on its thread, before the closure returns), a property
/// is animated. Set anywhere else it shows the new value at once, and an animation of it that runs ends
/// unfinished; Core Animation would show that one to its end.
///
/// An animation that is to end keeps its layer until then. One that repeats for ever does not: it ends
/// unfinished when its layer goes, which its own completion must then not hold.
public final class Layer: Sendable {
  public let name: String
  private let slots = Locked<[PropertyKey: any LayerSlot]>([:])

  public init(_ name: String = "layer") { self.name = name }

  deinit {
    for slot in slots.withLock({ Array($0.values) }) { slot.interrupt() }
  }

  /// The value that it was set to last.
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

  /// What is shown now: exact for this instant, whatever frames there are.
  public var presentation: Presentation { Presentation(of: slots.withLock { $0 }) }

  /// Whether a property of it is animated.
  public var isAnimated: Bool { slots.withLock { $0.values.contains { $0.isAnimated } } }

  /// Ends all its animations unfinished. It shows what its properties were set to.
  public func removeAllAnimations() {
    let removed = slots.withLock { slots -> [any LayerSlot] in
      let removed = slots.values.filter(\.isAnimated)
      for (key, slot) in slots { slots[key] = slot.withoutAnimation }
      return removed
    }
    for slot in removed { slot.interrupt() }
  }

  /// Ends the animation of one property unfinished. It shows what it was set to.
  public func removeAnimation<Value>(of property: LayerProperty<Value>) {
    let slot = slot(of: property)
    guard let animation = slot.animation, replace(animation, of: property, by: nil) else { return }
    animation.interrupt()
  }

  // MARK: For animations

  func slot<Value>(of property: LayerProperty<Value>) -> Slot<Value> {
    slots.withLock { $0[property.key] as? Slot<Value> } ?? Slot(model: property.defaultValue)
  }

  /// Puts `slot` in the place of what was there.
  func exchange<Value>(_ property: LayerProperty<Value>, _ slot: Slot<Value>) -> Slot<Value> {
    let old = slots.withLock { slots -> Slot<Value>? in
      defer { slots[property.key] = slot }
      return slots[property.key] as? Slot<Value>
    }
    return old ?? Slot(model: property.defaultValue)
  }

  /// Sets a property while `animation` goes on, if it is still the one.
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

  /// Puts another animation, or none, in the place of `old`, if that is still there.
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
