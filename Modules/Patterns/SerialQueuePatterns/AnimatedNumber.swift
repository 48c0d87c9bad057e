import AsyncPatterns
internal import SerialAnimation
import SerialQueue

/// A number that a pattern animates: the property of a layer that nobody sees, told to the trace as a
/// counter of its name at the start, at each frame and at the end.
final class AnimatedNumber: Sendable {
  /// A trace is no longer for being longer: frames come at 60 hertz, or as far apart as makes so many.
  private static let frameLimit = 1000.0

  let layer = Layer()
  let property: LayerProperty<Double>
  let animator: LayerAnimator
  private let scope: Scope
  private let told = Locked<(time: Instant, value: Double)?>(nil)

  /// - Parameter duration: how long it is to move.
  init(_ name: String, from start: Double, for duration: Duration, in scope: Scope) {
    property = LayerProperty(name, default: start)
    let seconds = duration / .seconds(1)
    animator = LayerAnimator(
      hertz: seconds > 0 ? min(60, Self.frameLimit / seconds) : 60, runtime: scope.runtime)
    self.scope = scope
  }

  /// Starts an animation of it on the main lane, and sees that it ends if the scope is cancelled: at once, and
  /// with the value that it has.
  ///
  /// - Parameters:
  ///   - start: animates it and calls what it gets with the end of that. Not called in a cancelled scope.
  ///   - then: told the value at the end; nil if it was cancelled.
  func run(
    _ start: @escaping @Sendable (_ ended: @escaping @Sendable (Bool) -> Void) -> Void,
    then: @escaping @Sendable (Double?) -> Void
  ) {
    guard LaneContext.current.lane == .main else {
      return scope.runtime.main.schedule { self.run(start, then: then) }
    }
    guard !scope.isCancelled else { return then(nil) }
    tell()
    let drawing = animator.onFrame { [self] _ in tell() }
    let registration = Locked<Cancellation.Registration?>(nil)
    start { [self] finished in
      drawing.cancel()
      registration.withLock { $0 }?.dispose()
      tell()
      then(finished ? layer[property] : nil)
    }
    // The end comes on this lane, so not before this has returned.
    let cancelling = scope.onCancel { [self] in layer[property] = layer.presentation[property] }
    registration.withLock { $0 = cancelling }
  }

  private func tell() {
    let (now, value) = (scope.runtime.main.now, layer.presentation[property])
    let isNews = told.withLock { told in
      defer { told = (now, value) }
      // The end may be at a frame.
      return told.map { $0 != (now, value) } ?? true
    }
    // Half the way between the two largest numbers is none.
    if isNews, value.isFinite { scope.counter(property.name, value) }
  }
}
