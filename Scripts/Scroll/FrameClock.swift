import AsyncPatterns
import AsyncRender

/// The clock of a screen that shows 60 frames a second. It requests each frame when the frame is due, on the main lane.
///
/// A frame is missed if the main thread has not finished it when the next one is due. Frames that become due meanwhile
/// are not even started, and are missed as well. Use it on the main lane only.
final class FrameClock: Sendable {
  static let rate: Int64 = 60
  /// A frame that is at most this late is still in time.
  static let tolerance = Duration.milliseconds(2)

  private struct State: Sendable {
    var start = Instant.zero
    /// The frame that was started last or will start next. The frames before it are counted.
    var current = 0
    var timer: (any Cancellable)?
    var missed = 0
    var isFinished = false
    var onFrame: (@Sendable (_ frame: Int) -> Void)?
  }

  private let state = Locked(State())
  private let main: any RunLoopScheduler
  private let thread: MainThread

  /// The number of frames to show.
  let frameCount: Int

  /// - Parameters:
  ///   - duration: how long it runs.
  ///   - thread: knows until when the main lane was busy.
  init(for duration: Duration, on main: any RunLoopScheduler, watching thread: MainThread) {
    frameCount = max(Self.frame(after: duration), 1)
    self.main = main
    self.thread = thread
  }

  var missed: Int { state.withLock { $0.missed } }
  var isFinished: Bool { state.withLock { $0.isFinished } }
  var start: Instant { state.withLock { $0.start } }

  /// The time from the start until a frame is due.
  static func due(_ frame: Int) -> Duration { .nanoseconds(Int64(frame) * 1_000_000_000 / rate) }

  /// The last frame that is due at `time`.
  private static func frame(after time: Duration) -> Int {
    var frame = Int(time / .seconds(1) * Double(rate))
    while due(frame + 1) <= time { frame += 1 }
    return frame
  }

  /// Starts with the first frame.
  ///
  /// - Parameter onFrame: called for each frame that starts, and for the one after the last.
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

  /// Shows the last frame at the end, even if others were missed.
  private func finish() {
    state.withLock { $0.isFinished = true }
    state.withLock { $0.onFrame }?(frameCount)
  }

  private func wait(for frame: Int) {
    let timer = main.schedule(after: Self.due(frame) - start.duration(to: main.now)) { [self] in
      frameIsDue(frame)
    }
    state.withLock { $0.timer = timer }
  }

  private func frameIsDue(_ frame: Int) {
    guard !isFinished else { return }
    let busy = start.duration(to: thread.lastTurnEnd)
    if busy <= Self.due(frame) + Self.tolerance { return beginFrame(frame) }
    // The previous frame was not ready. The frames that became due while it was made are missed as well.
    let next = min(Self.frame(after: busy) + 1, frameCount)
    state.withLock { state in
      state.missed += next - state.current
      state.current = next
    }
    if next < frameCount { wait(for: next) } else { finish() }
  }

  func stop() {
    let timer = state.withLock { state in
      state.isFinished = true
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }
}
