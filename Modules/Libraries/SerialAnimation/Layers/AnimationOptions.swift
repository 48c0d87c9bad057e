/// How an animation goes, beside how long it takes.
///
/// What stands here as it comes is what UIView has, but for ``beginsFromCurrentState``.
public struct AnimationOptions: Sendable, Hashable {
  /// How progress is spread over the duration.
  public var timing = AnimationTiming.curve(.easeInOut)
  /// How often it runs.
  public var repetition = Repetition.once
  /// Whether each run goes forth and back, and so takes twice the duration.
  ///
  /// The properties still have the values that they were set to, and that is what is shown from the end
  /// on: it jumps there. The completion, which comes at that very instant, may set them otherwise.
  public var autoreverses = false
  /// Whether a property that is animated already goes on from what is shown; if not, from what it was
  /// set to before.
  public var beginsFromCurrentState = true
  /// Whether the next animation of a ``SerialAnimationQueue`` begins with this one, not after it.
  public var allowsOverlap = false
  /// Whether it keeps its duration inside the `animations` of another one, whose duration it would have
  /// otherwise.
  public var overridesInheritedDuration = false
  /// Whether it keeps its timing inside the `animations` of another one.
  public var overridesInheritedTiming = false
  /// How values come about between key frames. It makes a key-frame animation, in whose `animations`
  /// ``KeyframeSequence/addKeyframe(withRelativeStartTime:relativeDuration:animations:)`` may be called.
  public var keyframes: CalculationMode?

  public init(
    timing: AnimationTiming = .curve(.easeInOut), repetition: Repetition = .once,
    autoreverses: Bool = false, beginsFromCurrentState: Bool = true, allowsOverlap: Bool = false,
    overridesInheritedDuration: Bool = false, overridesInheritedTiming: Bool = false,
    keyframes: CalculationMode? = nil
  ) {
    self.timing = timing
    self.repetition = repetition
    self.autoreverses = autoreverses
    self.beginsFromCurrentState = beginsFromCurrentState
    self.allowsOverlap = allowsOverlap
    self.overridesInheritedDuration = overridesInheritedDuration
    self.overridesInheritedTiming = overridesInheritedTiming
    self.keyframes = keyframes
  }
}

/// How the progress of an animation is spread over its duration.
public enum AnimationTiming: Sendable, Hashable {
  case curve(TimingCurve)
  /// UIView's spring: it settles within the duration.
  ///
  /// `dampingRatio` 1 comes to rest without swinging over, less swings; `initialVelocity` is in whole
  /// distances a second.
  case spring(dampingRatio: Double, initialVelocity: Double = 0)
}

/// How often an animation runs.
public enum Repetition: Sendable, Hashable {
  case once
  /// Less than once counts as once.
  case times(Int)
  /// Until its properties are set again, its animations are removed or its layers go. It never finishes
  /// by itself.
  case forever
}
