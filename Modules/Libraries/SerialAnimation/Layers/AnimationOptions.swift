/// How an animation runs, apart from its duration.
///
/// The defaults are those of UIView, except for ``beginsFromCurrentState``.
public struct AnimationOptions: Sendable, Hashable {
  /// How progress is distributed over the duration.
  public var timing = AnimationTiming.curve(.easeInOut)
  /// How often the animation runs.
  public var repetition = Repetition.once
  /// Whether each run goes forward and back, and so takes twice the duration.
  ///
  /// The properties still have the values that they were set to. At the end the layer jumps to these values, and shows
  /// them from then on. The completion is called at that same instant, and can set other values.
  public var autoreverses = false
  /// Whether a property that is already being animated continues from the value that it shows. If not, it starts from
  /// the value that it was set to before.
  public var beginsFromCurrentState = true
  /// Whether the next animation of a ``SerialAnimationQueue`` starts together with this one instead of after it.
  public var allowsOverlap = false
  /// Whether the animation keeps its own duration inside the `animations` of another one. Otherwise it takes the
  /// duration of that one.
  public var overridesInheritedDuration = false
  /// Whether the animation keeps its own timing inside the `animations` of another one.
  public var overridesInheritedTiming = false
  /// How values between key frames are computed. Setting it makes a key-frame animation: its `animations` may call
  /// ``KeyframeSequence/addKeyframe(withRelativeStartTime:relativeDuration:animations:)``.
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

/// How the progress of an animation is distributed over its duration.
public enum AnimationTiming: Sendable, Hashable {
  case curve(TimingCurve)
  /// UIView's spring: it settles within the duration.
  ///
  /// With a `dampingRatio` of 1 the spring does not overshoot; with a lower one it oscillates. `initialVelocity` is in
  /// whole distances per second.
  case spring(dampingRatio: Double, initialVelocity: Double = 0)
}

/// How often an animation runs.
public enum Repetition: Sendable, Hashable {
  case once
  /// A count below 1 counts as 1.
  case times(Int)
  /// The animation runs until its properties are set again, its animations are removed or its layers are released. It
  /// never finishes by itself.
  case forever
}
