internal import AsyncRuntime

/// The animations of one `animate` call. They end together, and one completion reports their end.
///
/// The group ends at the end of its timeline, or as soon as something else has taken over all its properties. It
/// reports its end once, on the main lane. The timer of its end retains the group and its layers. A group without an
/// end has no such timer, so its layers retain it.
final class AnimationGroup: Sendable {
  typealias Ending = @Sendable (_ finished: Bool) -> Void

  private enum Phase { case beginning, running, finished }

  /// An animated property: its layer, and how to remove the animation from it at the end.
  struct Member: Sendable {
    let layer: Layer
    let remove: @Sendable () -> Void
  }

  private struct State {
    var phase = Phase.beginning
    var liveCount = 0
    var isInterrupted = false
    var end: Instant?
    var timers: [any Cancellable] = []
    var removals: [@Sendable () -> Void] = []
    var ending: Ending?
  }

  private let runtime: any Runtime
  private let frames: FrameDemand
  private let state = Locked(State())

  var clock: any Scheduler { runtime.main }
  var now: Instant { runtime.main.now }

  init(_ runtime: any Runtime, _ frames: FrameDemand, ending: @escaping Ending) {
    self.runtime = runtime
    self.frames = frames
    state.withLock { $0.ending = ending }
  }

  /// Notes that one more property is animated.
  func joined() { state.withLock { $0.liveCount += 1 } }

  /// Notes that a property no longer belongs to the group, at the end or before.
  func left() {
    let now = now
    let (timers, isFinished) = state.withLock { state -> ([any Cancellable], Bool) in
      // At the instant of its end the group has finished, even if its timer comes after this call.
      if state.phase == .finished { return ([], false) }
      if state.phase == .running, let end = state.end, now >= end { return ([], false) }
      state.liveCount -= 1
      state.isInterrupted = true
      guard state.phase == .running, state.liveCount == 0 else { return ([], false) }
      state.phase = .finished
      defer { state.timers = [] }
      return (state.timers, true)
    }
    for timer in timers { timer.cancel() }
    // The end is not reported inside the call that takes over the property, because the caller may be in any state.
    if isFinished { runtime.main.schedule { self.reportEnd() } }
  }

  /// Starts the group. Called on the main lane, when everything that the group animates is known.
  func run(_ timeline: AnimationTimeline, _ members: [Member], hasChanges: Bool) {
    // An animation that repeats forever but changes nothing ends after one run.
    let end = hasChanges ? timeline.end : timeline.endOfFirstRun
    let isFinished = state.withLock { state in
      state.removals = members.map(\.remove)
      state.end = end
      state.phase = hasChanges && state.liveCount == 0 ? .finished : .running
      return state.phase == .finished
    }
    if isFinished { return runtime.main.schedule { self.reportEnd() } }
    let now = now
    var timers: [any Cancellable] = []
    if timeline.begin > now {
      timers.append(
        runtime.main.schedule(after: now.duration(to: timeline.begin)) { self.beginMoving() })
    } else {
      frames.begin(self)
    }
    if let end {
      let layers = members.map(\.layer)
      timers.append(
        runtime.main.schedule(after: now.duration(to: end)) {
          withExtendedLifetime(layers) { self.finish() }
        })
    }
    let late = state.withLock { state -> [any Cancellable] in
      if state.phase == .finished { return timers }
      state.timers = timers
      return []
    }
    for timer in late { timer.cancel() }
  }

  /// Called when the delay has passed. The end may be at the same instant, and may have been
  /// handled first.
  private func beginMoving() {
    if state.withLock({ $0.phase == .running }) { frames.begin(self) }
  }

  private func finish() {
    let timers = state.withLock { state -> [any Cancellable]? in
      guard state.phase == .running else { return nil }
      state.phase = .finished
      defer { state.timers = [] }
      return state.timers
    }
    guard let timers else { return }
    for timer in timers { timer.cancel() }
    reportEnd()
  }

  private func reportEnd() {
    let (removals, ending, finished) = state.withLock {
      state -> ([@Sendable () -> Void], Ending?, Bool) in
      defer {
        state.removals = []
        state.ending = nil
      }
      return (state.removals, state.ending, !state.isInterrupted)
    }
    for remove in removals { remove() }
    frames.end(self)
    ending?(finished)
  }
}
