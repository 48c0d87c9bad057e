internal import AsyncRuntime

/// The value that a property of a layer was set to, and its animation.
struct Slot<Value: Animatable>: LayerSlot {
  var model: Value
  var animation: PropertyAnimation<Value>?

  /// The value that is shown now.
  var shown: Value { animation.flatMap { $0.value(at: $0.now) } ?? model }
  var isAnimated: Bool { animation != nil }
  var now: Instant? { animation?.now }
  var withoutAnimation: any LayerSlot { Slot(model: model) }
  func interrupt() { animation?.interrupt() }
}

/// A slot with a value of any type.
protocol LayerSlot: Sendable {
  var isAnimated: Bool { get }
  /// The time on the clock that animates the property; nil if it is not animated.
  var now: Instant? { get }
  var withoutAnimation: any LayerSlot { get }
  func interrupt()
}
