import AsyncPatterns
import AsyncRender

/// The clock of a screen that shows 60 frames a second: it asks for a frame whenever one is due, on the main lane.
///
/// A frame is missed if the main thread is not done with it when the next one is due; and those that are due
/// meanwhile are not even begun. All of it is for the main lane.
final class FrameClock: Sendable {
  static let rate: Int64 = 60
  /// How much later than that still is in time.
  static let tolerance = Duration.milliseconds(2)

  private struct State: Sendable {
    var start = Instant.zero
    /// The frame that was begun last, or is to be next: those before it are counted.
    var current = 0
    var timer: (any Cancellable)?
    var missed = 0
    var isOver = false
    var onFrame: (@Sendable (_ frame: Int) -> Void)?
  }

  private let state = Locked(State())
  private let main: any RunLoopScheduler
  private let thread: MainThread

  /// How many frames there are to show.
  let frameCount: Int

  /// - Parameters:
  ///   - duration: how long it goes on.
  ///   - thread: knows until when the main lane was busy.
  init(for duration: Duration, on main: any RunLoopScheduler, watching thread: MainThread) {
    frameCount = max(Self.frame(after: duration), 1)
    self.main = main
    self.thread = thread
  }

  var missed: Int { state.withLock { $0.missed } }
  var isOver: Bool { state.withLock { $0.isOver } }
  var start: Instant { state.withLock { $0.start } }

  /// When a frame is due, after the start.
  static func due(_ frame: Int) -> Duration { .nanoseconds(Int64(frame) * 1_000_000_000 / rate) }

  /// The last frame that is due by then.
  private static func frame(after time: Duration) -> Int {
    var frame = Int(time / .seconds(1) * Double(rate))
    while due(frame + 1) <= time { frame += 1 }
    return frame
  }

  /// Begins with the first frame.
  ///
  /// - Parameter onFrame: called for each frame that is begun, and for the one after the last.
  func begin(_ onFrame: @escaping @Sendable (_ frame: Int) -> Void) {
    state.withLock { state in
      state.start = main.now
      state.onFrame = onFrame
    }
    beginFrame(0)
  }

  private func beginFrame(_ frame: Int) {
    guard frame < frameCount else { return finish() }
    state.withLock { $0.current = frame }
    state.withLock { $0.onFrame }?(frame)
    wait(for: frame + 1)
  }

  /// Time is up: whatever was missed, the last frame is shown.
  private func finish() {
    state.withLock { $0.isOver = true }
    state.withLock { $0.onFrame }?(frameCount)
  }

  private func wait(for frame: Int) {
    let timer = main.schedule(after: Self.due(frame) - start.duration(to: main.now)) { [self] in
      frameIsDue(frame)
    }
    state.withLock { $0.timer = timer }
  }

  private func frameIsDue(_ frame: Int) {
    guard !isOver else { return }
    let busy = start.duration(to: thread.lastTurnEnd)
    if busy <= Self.due(frame) + Self.tolerance { return beginFrame(frame) }
    // The one before was not ready; those that were due while it was made are missed as well.
    let next = min(Self.frame(after: busy) + 1, frameCount)
    state.withLock { state in
      state.missed += next - state.current
      state.current = next
    }
    if next < frameCount { wait(for: next) } else { finish() }
  }

  func stop() {
    let timer = state.withLock { state in
      state.isOver = true
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }
}
