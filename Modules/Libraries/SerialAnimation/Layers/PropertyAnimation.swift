internal import AsyncRuntime

/// The animation of one property of one layer.
final class PropertyAnimation<Value: Animatable>: Sendable {
  /// Which values it goes through.
  enum Course: Sendable {
    /// Until it is known where it goes, and when.
    case hold(Value)
    case way(from: Value, to: Value, AnimationTimeline)
    case track(KeyframeTrack<Value>, AnimationTimeline)
  }

  private let course: Course
  private let clock: any Scheduler
  /// What it began and ends with. Until its end that is held by its timer; a completion that holds the
  /// layer then makes no circle that is left if the runtime is given up.
  private weak let group: AnimationGroup?
  /// Without an end there is no timer.
  private let endlessGroup: AnimationGroup?

  init(_ course: Course, of group: AnimationGroup) {
    self.course = course
    clock = group.clock
    self.group = group
    endlessGroup = course.isEndless ? group : nil
  }

  var now: Instant { clock.now }

  /// What is shown at `now`; nil if it is over, and what the property was set to is shown.
  func value(at now: Instant) -> Value? {
    switch course {
    case .hold(let value): return value
    case .way(let from, let to, let timeline):
      return timeline.progress(at: now).map { from.interpolated(to: to, at: $0) }
    case .track(let track, let timeline):
      return timeline.progress(at: now).map { track.value(at: $0) }
    }
  }

  /// It has been taken out of its layer before its end.
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
