/// Several animations one after another with one completion, as one key-frame animation.
///
/// ```swift
/// KeyframeSequence(duration: .milliseconds(300)).animate([
///   { label.opacity = 1 },
///   { label.position = Point(x: 0, y: 40) },
/// ]) { finished in … }
/// ```
///
/// Block *i* of *n* begins at *i*/*n* of the whole, and takes its *n*th part: `duration`. Blocks run at once,
/// in order; a property goes from what the block before left to what its own block sets, and stays there
/// until another one moves it on. What is asked for in several modes is told by ``CalculationMode``.
public struct KeyframeSequence: Sendable {
  /// A part of a sequence that says itself when it comes.
  public struct Keyframe: Sendable {
    /// When it begins, as a share of the whole, 0…1.
    public var relativeStartTime: Double
    /// How long it takes, as a share of the whole, 0…1.
    public var relativeDuration: Double
    public var animations: @Sendable () -> Void

    public init(
      relativeStartTime: Double, relativeDuration: Double,
      animations: @escaping @Sendable () -> Void
    ) {
      self.relativeStartTime = relativeStartTime
      self.relativeDuration = relativeDuration
      self.animations = animations
    }
  }

  /// How long each block takes.
  public var duration: Duration
  /// How long the first one waits.
  public var delay: Duration
  /// How values come about between key frames.
  public var mode: CalculationMode
  /// How progress is spread over the whole, and what else there is to say.
  public var options: AnimationOptions
  private let animator: any Animator

  /// - Parameter animator: what runs it; a ``LayerAnimator`` on the live clock unless said otherwise.
  public init(
    duration: Duration, delay: Duration = .zero, mode: CalculationMode = .linear,
    options: AnimationOptions = AnimationOptions(timing: .curve(.linear)),
    animator: any Animator = LayerAnimator()
  ) {
    self.duration = duration
    self.delay = delay
    self.mode = mode
    self.options = options
    self.animator = animator
  }

  /// Runs `blocks` one after another.
  ///
  /// - Parameter completion: called once, at the end of them all, also if there are none.
  public func animate(
    _ blocks: [@Sendable () -> Void],
    completion: @escaping @Sendable (_ finished: Bool) -> Void = { _ in }
  ) {
    let count = Double(blocks.count)
    let keyframes = blocks.enumerated().map { index, block in
      Keyframe(
        relativeStartTime: Double(index) / count, relativeDuration: 1 / count, animations: block)
    }
    animate(keyframes: keyframes, completion: completion)
  }

  /// Runs key frames that say themselves when they come; together they take `duration` for each.
  ///
  /// - Parameter completion: called once, at the end of them all, also if there are none.
  public func animate(
    keyframes: [Keyframe],
    completion: @escaping @Sendable (_ finished: Bool) -> Void = { _ in }
  ) {
    animator.animateKeyframes(
      withDuration: duration.times(keyframes.count), delay: delay, mode: mode, options: options,
      animations: {
        for keyframe in keyframes {
          Self.addKeyframe(
            withRelativeStartTime: keyframe.relativeStartTime,
            relativeDuration: keyframe.relativeDuration, animations: keyframe.animations)
        }
      }, completion: completion)
  }

  /// Adds a key frame to the key-frame animation in whose `animations` it is called; anywhere else it just
  /// calls `animations`.
  ///
  /// - Parameters:
  ///   - start: when it begins, as a share of the whole duration; brought to 0…1.
  ///   - duration: how long it takes, as a share of the whole; brought to what is left of it.
  ///   - animations: called once, before this returns.
  public static func addKeyframe(
    withRelativeStartTime start: Double, relativeDuration duration: Double,
    animations: () -> Void
  ) {
    guard let block = AnimationBlock.current else { return animations() }
    block.addKeyframe(
      Window(relativeStart: start, relativeDuration: duration), animations)
  }
}

extension Duration {
  /// The product, as long as anything lasts at most.
  func times(_ count: Int) -> Duration {
    let (product, overflow) = wholeNanoseconds.multipliedReportingOverflow(by: Int64(count))
    return .nanoseconds(overflow ? .max : product)
  }
}
