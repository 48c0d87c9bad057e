internal import AsyncRuntime

/// A property of a layer: what it was set to, and what animates it.
struct Slot<Value: Animatable>: LayerSlot {
  var model: Value
  var animation: PropertyAnimation<Value>?

  /// What is shown now.
  var shown: Value { animation.flatMap { $0.value(at: $0.now) } ?? model }
  var isAnimated: Bool { animation != nil }
  var now: Instant? { animation?.now }
  var withoutAnimation: any LayerSlot { Slot(model: model) }
  func interrupt() { animation?.interrupt() }
}

/// A slot, whatever its value.
protocol LayerSlot: Sendable {
  var isAnimated: Bool { get }
  /// On the clock of what animates it, if it is animated.
  var now: Instant? { get }
  var withoutAnimation: any LayerSlot { get }
  func interrupt()
}
