internal import AsyncRuntime

/// The progress of an animation over time.
struct AnimationTimeline: Sendable {
  /// When it begins to move, after its delay.
  let begin: Instant
  /// When it ends; nil if it repeats forever.
  let end: Instant?
  /// When its first run ends.
  let endOfFirstRun: Instant
  /// The duration of one direction, in nanoseconds.
  private let duration: Int64
  private let autoreverses: Bool
  private let easing: Easing

  private enum Easing {
    case curve(TimingCurve)
    case spring(Spring)
  }

  /// - Parameters:
  ///   - duration: the time of one direction; a negative one counts as 0. An animation that takes no time does not
  ///     repeat.
  ///   - delay: if negative, the animation begins as if it had already run for that time.
  init(at now: Instant, _ duration: Duration, after delay: Duration, _ options: AnimationOptions) {
    self.duration = max(duration.wholeNanoseconds, 0)
    autoreverses = options.autoreverses
    begin = now.advanced(by: delay)
    let run = Self.lengthOfRun(duration, options).wholeNanoseconds
    endOfFirstRun = begin.advanced(by: .nanoseconds(run))
    switch options.repetition {
    case .once: end = endOfFirstRun
    case .times(let count):
      let (length, overflow) = run.multipliedReportingOverflow(by: Int64(max(count, 1)))
      end = begin.advanced(by: .nanoseconds(overflow ? .max : length))
    case .forever: end = run == 0 ? begin : nil
    }
    switch options.timing {
    case .curve(let curve): easing = .curve(curve)
    case .spring(let ratio, let velocity):
      // The spring is computed for one second, with its velocity scaled to match. `Spring` itself clamps very short and
      // very long durations.
      let seconds = Double(self.duration) / 1e9
      easing = .spring(
        Spring(dampingRatio: ratio, duration: .seconds(1), initialVelocity: velocity * seconds))
    }
  }

  /// How long one run takes: forward and, if it reverses, back.
  static func lengthOfRun(_ duration: Duration, _ options: AnimationOptions) -> Duration {
    let way = max(duration.wholeNanoseconds, 0)
    guard options.autoreverses else { return .nanoseconds(way) }
    let (both, overflow) = way.multipliedReportingOverflow(by: 2)
    return .nanoseconds(overflow ? .max : both)
  }

  /// The progress at a given time: 0 before the animation begins to move, decreasing while it reverses, and nil after
  /// its end.
  func progress(at now: Instant) -> Double? {
    if let end, now >= end { return nil }
    let elapsed = begin.duration(to: now).wholeNanoseconds
    guard elapsed > 0, duration > 0 else { return eased(0) }
    guard autoreverses else { return eased(elapsed % duration) }
    let length = duration.multipliedReportingOverflow(by: 2)
    let position = length.overflow ? elapsed : elapsed % length.partialValue
    return eased(position <= duration ? position : duration - (position - duration))
  }

  private func eased(_ position: Int64) -> Double {
    // Exact at both ends: a spring has only nearly settled at the end.
    if position <= 0 { return 0 }
    if position >= duration { return 1 }
    let share = Double(position) / Double(duration)
    switch easing {
    case .curve(let curve): return curve.value(at: share)
    case .spring(let spring): return spring.value(at: share)
    }
  }
}
