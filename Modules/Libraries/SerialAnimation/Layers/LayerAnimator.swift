internal import AsyncRuntime

/// Animates layers in the way UIView animates views.
///
/// ```swift
/// let animator = LayerAnimator()
/// animator.animate(withDuration: .milliseconds(300)) {
///   label.opacity = 1
/// } completion: { finished in … }
/// ```
///
/// - `animations` runs on the main lane: before `animate` returns if the caller is on that lane, otherwise as soon as
///   the run loop reaches it. Every property that it sets is animated, on any layer.
/// - The end is exact: `completion` is called on the main lane once `delay` and `duration` have passed on the clock of
///   the runtime, whatever the frame rate. The properties show their final values by then.
/// - `finished` is false if another animation takes over a property, if a property is set outside of an animation, or
///   if an animation is removed. If nothing is left to animate, the completion is called then; otherwise it is called
///   at the end. It is never called inside the call that took over the property. An animation that is replaced at the
///   instant of its end has finished.
/// - A block that changes nothing, or sets values that are already set, also ends after `delay` and `duration`. This
///   keeps the rhythm of a sequence of animations. UIKit calls the completion immediately.
/// - A duration of 0 or below sets the values when the delay has passed; without a delay, immediately. The completion
///   is still called after `animate` has returned. With a negative delay the animation begins in the middle.
/// - Inside the `animations` of another call, `animate` takes the duration and the timing of that call, unless its
///   options override them. It still has its own end.
///
/// On the live clock the main lane is the run loop of the main thread, which must be running.
public final class LayerAnimator: Animator {
  public let runtime: any Runtime
  /// Provides the frames for the handlers of ``onFrame(_:)``.
  public let clock: FrameClock
  private let frames: FrameDemand

  /// - Parameter hertz: the number of frames per second, with the limits of ``FrameClock``.
  public init(hertz: Double = 60, runtime: any Runtime = LiveRuntime.shared) {
    self.runtime = runtime
    clock = FrameClock(hertz: hertz, runtime: runtime)
    frames = FrameDemand(clock: clock)
  }

  public func animate(
    withDuration duration: Duration, delay: Duration, options: AnimationOptions,
    animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void
  ) {
    guard runtime.main.isCurrent else {
      return runtime.main.schedule { [self] in
        perform(duration, delay, options, animations, completion)
      }
    }
    perform(duration, delay, options, animations, completion)
  }

  private func perform(
    _ duration: Duration, _ delay: Duration, _ options: AnimationOptions,
    _ animations: @Sendable () -> Void, _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    var (duration, options) = (duration, options)
    if let outer = AnimationBlock.current {
      if !options.overridesInheritedDuration { duration = outer.duration }
      if !options.overridesInheritedTiming { options.timing = outer.options.timing }
    }
    let group = AnimationGroup(runtime, frames, ending: completion)
    AnimationBlock(duration, options, of: group).perform(animations, after: delay)
  }

  /// Calls `handler` on the main lane at each frame while something moves, and at the end of each animation, which may
  /// lie between two frames. The handler should draw what the layers show.
  public func onFrame(_ handler: @escaping @Sendable (Instant) -> Void) -> any Cancellable {
    frames.onFrame(handler)
  }

  /// Calls `changes` so that its changes take effect immediately, even inside the `animations` of an animation.
  public static func withoutAnimation(_ changes: () -> Void) { AnimationBlock.outside(changes) }
}
