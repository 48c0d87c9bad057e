/// Runs several animations one after another, as one key-frame animation with one completion.
///
/// ```swift
/// KeyframeSequence(duration: .milliseconds(300)).animate([
///   { label.opacity = 1 },
///   { label.position = Point(x: 0, y: 40) },
/// ]) { finished in … }
/// ```
///
/// Each block takes `duration`, so block *i* of *n* begins at *i*/*n* of the whole. All blocks are called in order,
/// before anything moves. A property moves from its value after the previous block to the value that the current block
/// sets. It keeps that value until another block changes it. ``CalculationMode`` describes the modes for the values in
/// between.
public struct KeyframeSequence: Sendable {
  /// A part of a sequence with its own start time and duration.
  public struct Keyframe: Sendable {
    /// When the part begins, as a fraction of the whole, 0…1.
    public var relativeStartTime: Double
    /// How long the part takes, as a fraction of the whole, 0…1.
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

  /// The duration of each block.
  public var duration: Duration
  /// The delay before the first block.
  public var delay: Duration
  /// How values between key frames are computed.
  public var mode: CalculationMode
  /// The timing of the whole sequence, and the other options.
  public var options: AnimationOptions
  private let animator: any Animator

  /// - Parameter animator: runs the animation; by default a ``LayerAnimator`` on the live clock.
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
  /// - Parameter completion: called once, when all blocks have ended, even if there are none.
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

  /// Runs key frames that have their own start times and durations. The whole takes `duration` times the number of key
  /// frames.
  ///
  /// - Parameter completion: called once, when all key frames have ended, even if there are none.
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

  /// Adds a key frame to the key-frame animation whose `animations` closure calls this function. Called anywhere else,
  /// it only calls `animations`.
  ///
  /// - Parameters:
  ///   - start: when the key frame begins, as a fraction of the whole duration; clamped to 0…1.
  ///   - duration: how long the key frame takes, as a fraction of the whole duration; clamped to what remains of the
  ///     whole after `start`.
  ///   - animations: called once, before this function returns.
  public static func addKeyframe(
    withRelativeStartTime start: Double, relativeDuration duration: Double,
    animations: () -> Void
  ) {
    guard let block = AnimationBlock.current else { return animations() }
    block.addKeyframe(
      RelativeInterval(relativeStart: start, relativeDuration: duration), animations)
  }
}

extension Duration {
  /// The product, or the longest possible duration if the product is longer.
  func times(_ count: Int) -> Duration {
    let (product, overflow) = wholeNanoseconds.multipliedReportingOverflow(by: Int64(count))
    return .nanoseconds(overflow ? (self < .zero ? .min : .max) : product)
  }
}
