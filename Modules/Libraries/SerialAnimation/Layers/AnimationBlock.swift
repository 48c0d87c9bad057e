internal import AsyncRuntime

/// The changes of one `animations` closure: the properties that change, and their new values.
///
/// From its first change until the block is committed, a property shows the value from which its animation starts.
final class AnimationBlock: Sendable {
  @TaskLocal private static var innermost: AnimationBlock?

  /// The block whose closure the calling thread runs.
  static var current: AnimationBlock? { innermost.flatMap { $0.isOpen ? $0 : nil } }

  private struct State {
    var isOpen = true
    /// The part of the duration that the current key frame takes.
    var interval: RelativeInterval?
    var changes: [any PropertyChange] = []
    var positions: [ChangeKey: Int] = [:]
  }

  let duration: Duration
  let options: AnimationOptions
  private let group: AnimationGroup
  private let lane = LaneContext.current.lane
  private let state = Locked(State())

  init(_ duration: Duration, _ options: AnimationOptions, of group: AnimationGroup) {
    self.duration = duration
    self.options = options
    self.group = group
  }

  // A task that the closure creates inherits the block. It may outlive the closure, or run beside it.
  private var isOpen: Bool {
    lane == LaneContext.current.lane && state.withLock { $0.isOpen }
  }

  /// Runs `body` with this block as the current one, then commits the changes that `body` has made.
  func perform(_ body: () -> Void, after delay: Duration) {
    // All changes share one start time, however long the closure takes on a live clock.
    let timeline = AnimationTimeline(at: group.now, duration, after: delay, options)
    Self.$innermost.withValue(self, operation: body)
    let changes = state.withLock { state in
      state.isOpen = false
      defer { state.changes = [] }
      return state.changes
    }
    // If the animation has ended already, nothing is animated.
    let isFinished = timeline.end.map { $0 <= group.now } ?? false
    let plan = PropertyChangePlan(
      timeline: isFinished ? nil : timeline, mode: options.keyframes, group: group)
    group.run(timeline, changes.compactMap { $0.commit(plan) }, hasChanges: !changes.isEmpty)
  }

  /// Runs `body` without any block.
  static func outside(_ body: () -> Void) { $innermost.withValue(nil, operation: body) }

  /// Runs `body` as a key frame. If this is not a block of key frames, `body` is an ordinary part of it.
  func addKeyframe(_ interval: RelativeInterval, _ body: () -> Void) {
    guard options.keyframes != nil else { return body() }
    let outer = state.withLock { state in
      defer { state.interval = interval }
      return state.interval
    }
    body()
    state.withLock { $0.interval = outer }
  }

  func change<Value>(_ layer: Layer, _ property: LayerProperty<Value>, to value: Value) {
    let key = ChangeKey(layer: ObjectIdentifier(layer), property: property.key)
    let (interval, known) = state.withLock { state -> (RelativeInterval, Change<Value>?) in
      (
        state.interval ?? .whole,
        state.positions[key].flatMap { state.changes[$0] as? Change<Value> }
      )
    }
    if let known, layer.set(property, to: value, under: known.hold) {
      return known.add(value, in: interval)
    }
    // The first change, or the first since a nested block took over the property.
    let before = layer.slot(of: property)
    let from = options.beginsFromCurrentState ? before.shown : before.model
    let hold = PropertyAnimation(.hold(from), of: group)
    group.joined()
    layer.exchange(property, Slot(model: value, animation: hold)).interrupt()
    let change = Change(layer: layer, property: property, from: from, hold: hold)
    change.add(value, in: interval)
    state.withLock { state in
      if let position = state.positions[key] {
        state.changes[position] = change
      } else {
        state.positions[key] = state.changes.count
        state.changes.append(change)
      }
    }
  }
}

private struct ChangeKey: Hashable, Sendable {
  let layer: ObjectIdentifier
  let property: PropertyKey
}
