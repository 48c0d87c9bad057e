import AsyncPatterns
internal import SerialAnimation
import SerialQueue

/// A number that a pattern animates: the property of a layer that is never shown. The trace records it as a counter
/// with the property's name, at the start, at each frame and at the end.
final class AnimatedNumber: Sendable {
  /// The largest number of frames, so that a long animation does not make a long trace. The frame rate is 60 hertz or
  /// less.
  private static let frameLimit = 1000.0

  let layer = Layer()
  let property: LayerProperty<Double>
  let animator: LayerAnimator
  private let scope: Scope
  private let recorded = Locked<(time: Instant, value: Double)?>(nil)

  /// - Parameter duration: how long the number is animated.
  init(_ name: String, from start: Double, for duration: Duration, in scope: Scope) {
    property = LayerProperty(name, default: start)
    let seconds = duration / .seconds(1)
    animator = LayerAnimator(
      hertz: seconds > 0 ? min(60, Self.frameLimit / seconds) : 60, runtime: scope.runtime)
    self.scope = scope
  }

  /// Starts an animation of the number on the main lane. If the scope is cancelled, the animation ends immediately,
  /// with its current value.
  ///
  /// - Parameters:
  ///   - start: starts the animation, and calls its argument when the animation ends. In a cancelled scope, `start` is
  ///     not called.
  ///   - then: called with the value at the end; nil if the animation was cancelled.
  func run(
    _ start: @escaping @Sendable (_ ended: @escaping @Sendable (Bool) -> Void) -> Void,
    then: @escaping @Sendable (Double?) -> Void
  ) {
    guard LaneContext.current.lane == .main else {
      return scope.runtime.main.schedule { self.run(start, then: then) }
    }
    guard !scope.isCancelled else { return then(nil) }
    recordValue()
    let drawing = animator.onFrame { [self] _ in recordValue() }
    let registration = Locked<Cancellation.Registration?>(nil)
    start { [self] finished in
      drawing.cancel()
      registration.withLock { $0 }?.dispose()
      recordValue()
      then(finished ? layer[property] : nil)
    }
    // The animation ends on this lane, so it cannot end before this function has returned.
    let cancelling = scope.onCancel { [self] in layer[property] = layer.presentation[property] }
    registration.withLock { $0 = cancelling }
  }

  private func recordValue() {
    let (now, value) = (scope.runtime.main.now, layer.presentation[property])
    let isNews = recorded.withLock { recorded in
      defer { recorded = (now, value) }
      // The end may coincide with a frame.
      return recorded.map { $0 != (now, value) } ?? true
    }
    // Interpolation between very large numbers can overflow to infinity.
    if isNews, value.isFinite { scope.counter(property.name, value) }
  }
}
