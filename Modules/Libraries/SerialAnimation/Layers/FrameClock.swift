internal import AsyncRuntime

/// Frames at a steady rate, on the main scheduler of a runtime.
///
/// ```swift
/// let frames = FrameClock(hertz: 120)
/// let listening = frames.onFrame { frame in draw(at: frame.time) }
/// listening.cancel()
/// ```
///
/// Frame *n* is due at `origin` + *n* / `hertz`, rounded down to a nanosecond. Delays do not add up, however many
/// frames there have been. If the main scheduler is busy for longer than a frame, the clock skips frames. It has no
/// timer while it has no handler.
public final class FrameClock: Sendable {
  /// A moment at which the program should draw.
  public struct Frame: Sendable, Hashable {
    /// The number of the frame, counted from 0 at the origin of the clock.
    public var number: Int
    /// When the frame is due.
    public var time: Instant
  }

  /// The number of frames per second.
  public let hertz: Double
  /// When frame 0 is due: the time at which the clock was made.
  public let origin: Instant

  private let runtime: any Runtime
  private let state = Locked(State())

  private struct State {
    var handlers: [(number: UInt64, handler: @Sendable (Frame) -> Void)] = []
    var lastHandler: UInt64 = 0
    /// The number of the last frame that was reported.
    var lastFrame = -1
    /// The number of the only valid timer; 0 if there is none.
    var awaited: UInt64 = 0
    var lastTimer: UInt64 = 0
    var timer: (any Cancellable)?

    /// - Returns: the number of a timer to start now; nil if none is needed.
    mutating func awaitFrame() -> UInt64? {
      guard awaited == 0, !handlers.isEmpty else { return nil }
      lastTimer += 1
      awaited = lastTimer
      return awaited
    }
  }

  /// - Parameter hertz: at most a million; a value that is not above 0 counts as 60.
  public init(hertz: Double = 60, runtime: any Runtime = LiveRuntime.shared) {
    self.hertz = hertz > 0 ? min(hertz, 1_000_000) : 60
    self.runtime = runtime
    origin = runtime.main.now
  }

  /// When the frame `number` is due.
  public func time(ofFrame number: Int) -> Instant {
    // A whole rate is computed with integers, which stays exact however long the clock runs.
    if let rate = Int(exactly: hertz) {
      let (seconds, rest) = number.quotientAndRemainder(dividingBy: rate)
      return origin.advanced(by: .seconds(seconds))
        .advanced(by: .nanoseconds(rest * 1_000_000_000 / rate))
    }
    let nanoseconds = (Double(number) / hertz * 1e9).rounded(.down)
    return origin.advanced(by: .nanoseconds(Int64(exactly: nanoseconds) ?? .max))
  }

  /// Calls `handler` on the main lane at each frame from now on, until the returned object is cancelled. Handlers are
  /// called in the order in which they were added.
  public func onFrame(_ handler: @escaping @Sendable (Frame) -> Void) -> any Cancellable {
    let (number, timer) = state.withLock { state -> (UInt64, UInt64?) in
      state.lastHandler += 1
      state.handlers.append((state.lastHandler, handler))
      return (state.lastHandler, state.awaitFrame())
    }
    if let timer { start(timer) }
    return Listening(clock: self, number: number)
  }

  private func start(_ timer: UInt64) {
    let now = runtime.main.now
    let frame = nextFrame(at: now)
    let started = runtime.main.schedule(after: now.duration(to: frame.time)) { [self] in
      tick(frame, timer)
    }
    let isAwaited = state.withLock { state in
      guard state.awaited == timer else { return false }
      state.timer = started
      return true
    }
    if !isAwaited { started.cancel() }
  }

  /// The first frame that is not in the past and has not been reported.
  private func nextFrame(at now: Instant) -> Frame {
    let last = state.withLock { $0.lastFrame }
    let elapsed = Double(origin.duration(to: now).wholeNanoseconds)
    // Rounding may give a number that is one too high, so this starts one lower. The loop corrects a number that is too
    // low.
    var number = max(last + 1, Int((elapsed / 1e9 * hertz).rounded(.down)) - 1, 0)
    while time(ofFrame: number) < now { number += 1 }
    return Frame(number: number, time: time(ofFrame: number))
  }

  private func tick(_ frame: Frame, _ timer: UInt64) {
    let numbers = state.withLock { state -> [UInt64] in
      guard state.awaited == timer else { return [] }
      state.awaited = 0
      state.timer = nil
      state.lastFrame = frame.number
      return state.handlers.map(\.number)
    }
    for number in numbers {
      // An earlier handler may have cancelled this one.
      let handler = state.withLock { state in
        state.handlers.first { $0.number == number }?.handler
      }
      handler?(frame)
    }
    if let timer = state.withLock({ $0.awaitFrame() }) { start(timer) }
  }

  private func remove(_ number: UInt64) {
    // The handler is released after the lock: releasing it may run other code.
    let (removed, timer) = state.withLock {
      state -> ((@Sendable (Frame) -> Void)?, (any Cancellable)?) in
      guard let index = state.handlers.firstIndex(where: { $0.number == number }) else {
        return (nil, nil)
      }
      let removed = state.handlers.remove(at: index).handler
      guard state.handlers.isEmpty else { return (removed, nil) }
      defer { state.timer = nil }
      state.awaited = 0
      return (removed, state.timer)
    }
    withExtendedLifetime(removed) { timer?.cancel() }
  }

  private final class Listening: Cancellable {
    private let clock: FrameClock
    private let number: UInt64

    init(clock: FrameClock, number: UInt64) {
      self.clock = clock
      self.number = number
    }

    func cancel() { clock.remove(number) }
  }
}
