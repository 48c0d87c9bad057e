internal import AsyncRuntime

/// The animation of one property of one layer.
final class PropertyAnimation<Value: Animatable>: Sendable {
  /// The values that the animation passes through.
  enum Course: Sendable {
    /// Stays at a value, until the end point and the time are known.
    case hold(Value)
    case way(from: Value, to: Value, AnimationTimeline)
    case track(KeyframeTrack<Value>, AnimationTimeline)
  }

  private let course: Course
  private let clock: any Scheduler
  /// The group that the animation begins and ends with. The timer of the group retains the group until its end. The
  /// reference here is weak: if the runtime is discarded, a completion that references the layer leaves no reference
  /// cycle.
  private weak let group: AnimationGroup?
  /// The group, if it has no end and thus no timer that retains it.
  private let endlessGroup: AnimationGroup?

  init(_ course: Course, of group: AnimationGroup) {
    self.course = course
    clock = group.clock
    self.group = group
    endlessGroup = course.isEndless ? group : nil
  }

  var now: Instant { clock.now }

  /// The value that is shown at `now`; nil if the animation has ended, and the layer shows the value that was set.
  func value(at now: Instant) -> Value? {
    switch course {
    case .hold(let value): return value
    case .way(let from, let to, let timeline):
      return timeline.progress(at: now).map { from.interpolated(to: to, at: $0) }
    case .track(let track, let timeline):
      return timeline.progress(at: now).map { track.value(at: $0) }
    }
  }

  /// The animation was removed from its layer before its end.
  func interrupt() { group?.left() }
}

extension PropertyAnimation.Course {
  fileprivate var isEndless: Bool {
    switch self {
    case .hold: false
    case .way(_, _, let timeline), .track(_, let timeline): timeline.end == nil
    }
  }
}
