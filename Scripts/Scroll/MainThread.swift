import AsyncPatterns
import AsyncRender
import Foundation

/// The work of the main thread for the list: turns, from the start of the application's code to the end of the turn.
///
/// Use it on the main lane only.
final class MainThread: Sendable {
  private struct Turn: Sendable {
    let start: Instant
    let end: Instant
    /// The processor time that the thread spent in the turn.
    let spent: Duration
  }

  private struct State: Sendable {
    /// When the application's code started in this turn, and the processor time of the thread until then.
    var entered: (at: Instant, spent: Duration)?
    var turns: [Turn] = []
  }

  private let state = Locked(State())
  private let runtime: any Runtime

  init(_ runtime: any Runtime) { self.runtime = runtime }

  /// The total processor time of the calling thread, which excludes the time of other threads. On a virtual clock it is
  /// the time of the clock.
  private var spent: Duration {
    guard runtime.clockKind == .live else { return Instant.zero.duration(to: runtime.now) }
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Called when the application's code starts.
  func enter() {
    let entered = (runtime.now, spent)
    state.withLock { $0.entered = $0.entered ?? entered }
  }

  /// Called at the end of the turn.
  func turnEnded() {
    let (now, spent) = (runtime.now, spent)
    state.withLock { state in
      guard let entered = state.entered else { return }
      state.entered = nil
      state.turns.append(Turn(start: entered.at, end: now, spent: spent - entered.spent))
    }
  }

  /// The end of the last turn that ran the application's code.
  var lastTurnEnd: Instant { state.withLock { $0.turns.last?.end ?? .zero } }

  /// The duration of the longest turn: nothing else could run on the main thread during that time.
  var longestStall: Duration {
    state.withLock { $0.turns.map { $0.start.duration(to: $0.end) }.max() ?? .zero }
  }

  /// The processor time spent in each frame. The time of a turn that covers several frames is divided among them, in
  /// proportion to how long the turn was in each.
  func shares(of frames: Int, since start: Instant) -> [Duration] {
    var shares = Array(repeating: Duration.zero, count: frames)
    for turn in state.withLock({ $0.turns }) {
      let (begin, end) = (start.duration(to: turn.start), start.duration(to: turn.end))
      for frame in shares.indices {
        let (from, to) = (FrameClock.due(frame), FrameClock.due(frame + 1))
        let overlap = min(end, to) - max(begin, from)
        guard overlap > .zero else { continue }
        shares[frame] += .nanoseconds(
          Int64(turn.spent / .nanoseconds(1) * (overlap / (end - begin))))
      }
    }
    return shares
  }
}

extension [Duration] {
  /// The smallest element for which at least this share of the elements is no larger. The share is from 0 to 1.
  func percentile(_ share: Double) -> Duration {
    guard !isEmpty else { return .zero }
    let place = Int((Double(count) * share).rounded(.up)) - 1
    return sorted()[Swift.min(Swift.max(place, 0), count - 1)]
  }
}
