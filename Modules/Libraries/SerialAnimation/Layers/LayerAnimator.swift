internal import AsyncRuntime

/// Animates layers, as UIView does its views.
///
/// ```swift
/// let animator = LayerAnimator()
/// animator.animate(withDuration: .milliseconds(300)) {
///   label.opacity = 1
/// } completion: { finished in … }
/// ```
///
/// - `animations` runs on the main lane: before `animate` returns if that is called there, else as soon as
///   the run loop comes to it. Every property that it sets, of whatever layers, is animated.
/// - The end is exact: `completion` is called on the main lane once `delay` and `duration` have passed on the
///   runtime's clock, whatever the rate of frames; the properties show their final values by then.
/// - A property that another animation takes over, that is set outside, or whose animation is removed makes
///   `finished` false. The completion comes when nothing is left to animate, else at the end; never inside the
///   call that took the property over. An animation that is replaced at the instant of its end has finished.
/// - A block that changes nothing, or sets what is there anyway, ends after `delay` and `duration` as well, so
///   that a sequence of animations keeps its rhythm. UIKit calls the completion at once.
/// - A duration of 0, or below, sets the values when the delay is over; with no delay, at once. The completion
///   still comes later than `animate` returns. A negative delay begins in the middle.
/// - Inside the `animations` of another call, `animate` has the duration and the timing of that one, unless its
///   options say otherwise, and an end of its own.
///
/// On the live clock the main lane is the run loop of the main thread, which has to run.
public final class LayerAnimator: Animator {
  public let runtime: any Runtime
  /// The frames at which those are told who asked with ``onFrame(_:)``.
  public let clock: FrameClock
  private let frames: FrameDemand

  /// - Parameter hertz: frames in a second, as ``FrameClock`` takes them.
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
    guard LaneContext.current.lane == .main else {
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

  /// Calls `handler` on the main lane at each frame while something moves, and at each animation's end,
  /// which may lie between two frames: the time to draw what layers show.
  public func onFrame(_ handler: @escaping @Sendable (Instant) -> Void) -> any Cancellable {
    frames.onFrame(handler)
  }

  /// Sets what `changes` sets at once, even inside the `animations` of an animation.
  public static func withoutAnimation(_ changes: () -> Void) { AnimationBlock.outside(changes) }
}
