internal import AsyncRuntime

/// What one call of an animator has begun: the animations of some properties, which end together and are
/// told of together.
///
/// It is over at the end of its timeline, or as soon as all that it animated has been taken away from it.
/// Its end is told once, on the main lane. Its timer holds it, and its layers; without an end, they hold it.
final class AnimationGroup: Sendable {
  typealias Ending = @Sendable (_ finished: Bool) -> Void

  private enum Phase { case beginning, running, over }

  /// Something it animates: how to take it out of its layer at the end.
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

  /// It animates one property more.
  func joined() { state.withLock { $0.liveCount += 1 } }

  /// Something else has taken over one of its properties, at its end or before.
  func left() {
    let now = now
    let (timers, isOver) = state.withLock { state -> ([any Cancellable], Bool) in
      // At its very end it has finished, whoever comes first.
      if state.phase == .over { return ([], false) }
      if state.phase == .running, let end = state.end, now >= end { return ([], false) }
      state.liveCount -= 1
      state.isInterrupted = true
      guard state.phase == .running, state.liveCount == 0 else { return ([], false) }
      state.phase = .over
      defer { state.timers = [] }
      return (state.timers, true)
    }
    for timer in timers { timer.cancel() }
    // Never inside the call that takes it away: that may be at anything.
    if isOver { runtime.main.schedule { self.tellEnd() } }
  }

  /// All that it animates is known. On the main lane.
  func run(_ timeline: AnimationTimeline, _ members: [Member], hasChanges: Bool) {
    // What repeats for ever and has nothing to repeat is over after one run.
    let end = hasChanges ? timeline.end : timeline.endOfFirstRun
    let isOver = state.withLock { state in
      state.removals = members.map(\.remove)
      state.end = end
      state.phase = hasChanges && state.liveCount == 0 ? .over : .running
      return state.phase == .over
    }
    if isOver { return runtime.main.schedule { self.tellEnd() } }
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
      if state.phase == .over { return timers }
      state.timers = timers
      return []
    }
    for timer in late { timer.cancel() }
  }

  /// The delay is over. Its end may be at the same instant, and come first.
  private func beginMoving() {
    if state.withLock({ $0.phase == .running }) { frames.begin(self) }
  }

  private func finish() {
    let timers = state.withLock { state -> [any Cancellable]? in
      guard state.phase == .running else { return nil }
      state.phase = .over
      defer { state.timers = [] }
      return state.timers
    }
    guard let timers else { return }
    for timer in timers { timer.cancel() }
    tellEnd()
  }

  private func tellEnd() {
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
