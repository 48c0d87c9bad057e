internal import AsyncRuntime

/// How the changes of a block are applied.
struct PropertyChangePlan {
  /// The timeline of the changes; nil if it has already ended, so that nothing is animated.
  let timeline: AnimationTimeline?
  /// How values between key frames are computed; nil if the block has no key frames.
  let mode: CalculationMode?
  let group: AnimationGroup
}

/// A property that a block has changed.
protocol PropertyChange: Sendable {
  /// Animates the property. Returns nil if nothing is left to animate, or if something else has taken over the
  /// property.
  func commit(_ plan: PropertyChangePlan) -> AnimationGroup.Member?
}

final class Change<Value: Animatable>: PropertyChange {
  let layer: Layer
  let property: LayerProperty<Value>
  /// The value that was shown before.
  let from: Value
  /// Shows `from` until the block is committed.
  let hold: PropertyAnimation<Value>
  /// The values that the property was set to. A value is added without copying the others, since there may be many key
  /// frames.
  private let frames = Locked<[(interval: RelativeInterval, value: Value)]>([])

  init(
    layer: Layer, property: LayerProperty<Value>, from: Value, hold: PropertyAnimation<Value>
  ) {
    self.layer = layer
    self.property = property
    self.from = from
    self.hold = hold
  }

  func add(_ value: Value, in interval: RelativeInterval) {
    frames.withLock { $0.append((interval, value)) }
  }

  func commit(_ plan: PropertyChangePlan) -> AnimationGroup.Member? {
    if plan.mode != nil, let last = track(.linear).keyframes.last {
      // The last value in time, whatever the order in which the values were added.
      guard layer.set(property, to: last.value, under: hold) else { return nil }
    }
    guard let timeline = plan.timeline, let to = frames.withLock({ $0.last?.value }) else {
      // The hold is removed but not interrupted, so the group still waits for its own end.
      _ = layer.replace(hold, of: property, by: nil)
      return nil
    }
    let course: PropertyAnimation<Value>.Course =
      plan.mode.map { .track(track($0), timeline) } ?? .way(from: from, to: to, timeline)
    let animation = PropertyAnimation(course, of: plan.group)
    guard layer.replace(hold, of: property, by: animation) else { return nil }
    return AnimationGroup.Member(layer: layer) {
      [weak layer, weak animation, property] in
      guard let layer, let animation else { return }
      _ = layer.replace(animation, of: property, by: nil)
    }
  }

  /// In each interval, the value moves from where the previous interval left it to the value of this interval. Between
  /// two intervals, and after the last one, the value stays.
  private func track(_ mode: CalculationMode) -> KeyframeTrack<Value> {
    typealias Keyframe = KeyframeTrack<Value>.Keyframe
    let ordered = frames.withLock { $0 }.enumerated().sorted {
      ($0.element.interval.start, $0.offset) < ($1.element.interval.start, $1.offset)
    }.map(\.element)
    var keyframes = [Keyframe(at: 0, from)]
    for (interval, value) in ordered {
      if let last = keyframes.last, interval.start > last.time {
        keyframes.append(Keyframe(at: interval.start, last.value))
      }
      keyframes.append(Keyframe(at: interval.end, value))
    }
    return KeyframeTrack(keyframes, mode: mode)
  }
}
