/// An object that animates the changes that a closure makes: ``LayerAnimator``, ``SerialAnimationQueue``, or UIKit
/// behind a wrapper of three lines.
public protocol Animator: Sendable {
  /// Runs `animations`, and animates the properties that it changes.
  ///
  /// - Parameters:
  ///   - duration: how long one run takes, in one direction.
  ///   - delay: the time before the animation begins to move.
  ///   - animations: called once.
  ///   - completion: called once, when the animation has ended; `finished` is false if it was interrupted before its
  ///     end.
  func animate(
    withDuration duration: Duration, delay: Duration, options: AnimationOptions,
    animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void)
}

extension Animator {
  /// Animates with the default options.
  public func animate(
    withDuration duration: Duration, delay: Duration = .zero,
    animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void = { _ in }
  ) {
    animate(
      withDuration: duration, delay: delay, options: AnimationOptions(), animations: animations,
      completion: completion)
  }

  /// Animates without a completion.
  public func animate(
    withDuration duration: Duration, delay: Duration = .zero, options: AnimationOptions,
    animations: @escaping @Sendable () -> Void
  ) {
    animate(
      withDuration: duration, delay: delay, options: options, animations: animations,
      completion: { _ in })
  }

  /// Animates without a delay.
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
  ///   - dampingRatio: with 1 the spring does not overshoot, with a lower value it oscillates.
  ///   - velocity: the velocity at the start, in whole distances per second.
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
  /// ``KeyframeSequence/addKeyframe(withRelativeStartTime:relativeDuration:animations:)``. Changes outside of key
  /// frames take the whole duration.
  ///
  /// - Parameter mode: how values between key frames are computed.
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
