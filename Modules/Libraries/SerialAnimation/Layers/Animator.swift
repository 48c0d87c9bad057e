/// Something that animates what a closure changes: ``LayerAnimator``, ``SerialAnimationQueue``, or UIKit
/// behind a wrapper of three lines.
public protocol Animator: Sendable {
  /// Runs `animations` and animates the properties that change in it.
  ///
  /// - Parameters:
  ///   - duration: how long one run takes, one way.
  ///   - delay: how long the animation waits before it moves.
  ///   - animations: called once.
  ///   - completion: called once, when the animation has ended; `finished` tells whether it came to its
  ///     end or was taken away before.
  func animate(
    withDuration duration: Duration, delay: Duration, options: AnimationOptions,
    animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void)
}

extension Animator {
  /// Animates as options have it that nobody sets.
  public func animate(
    withDuration duration: Duration, delay: Duration = .zero,
    animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void = { _ in }
  ) {
    animate(
      withDuration: duration, delay: delay, options: AnimationOptions(), animations: animations,
      completion: completion)
  }

  /// Animates, and nobody waits for the end.
  public func animate(
    withDuration duration: Duration, delay: Duration = .zero, options: AnimationOptions,
    animations: @escaping @Sendable () -> Void
  ) {
    animate(
      withDuration: duration, delay: delay, options: options, animations: animations,
      completion: { _ in })
  }

  /// Animates at once, as options have it.
  public func animate(
    withDuration duration: Duration, options: AnimationOptions,
    animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void
  ) {
    animate(
      withDuration: duration, delay: .zero, options: options, animations: animations,
      completion: completion)
  }

  /// Animates with a spring that settles within `duration`.
  ///
  /// - Parameters:
  ///   - dampingRatio: 1 comes to rest without swinging over, less swings.
  ///   - velocity: at the beginning, in whole distances a second.
  public func animate(
    withDuration duration: Duration, delay: Duration = .zero,
    usingSpringWithDamping dampingRatio: Double, initialSpringVelocity velocity: Double = 0,
    options: AnimationOptions = AnimationOptions(), animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void = { _ in }
  ) {
    var options = options
    options.timing = .spring(dampingRatio: dampingRatio, initialVelocity: velocity)
    animate(
      withDuration: duration, delay: delay, options: options, animations: animations,
      completion: completion)
  }

  /// Animates along the key frames that `animations` adds with
  /// ``KeyframeSequence/addKeyframe(withRelativeStartTime:relativeDuration:animations:)``; what it changes
  /// outside of them changes over the whole duration.
  ///
  /// - Parameter mode: how values come about between key frames.
  public func animateKeyframes(
    withDuration duration: Duration, delay: Duration = .zero, mode: CalculationMode = .linear,
    options: AnimationOptions = AnimationOptions(timing: .curve(.linear)),
    animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void = { _ in }
  ) {
    var options = options
    options.keyframes = mode
    animate(
      withDuration: duration, delay: delay, options: options, animations: animations,
      completion: completion)
  }
}
