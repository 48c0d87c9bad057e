import AsyncPatterns
import AsyncRender
import Foundation

/// What the main thread does for the list: turns, from where one comes to the application's code to its end.
///
/// All of it is for the main lane.
final class MainThread: Sendable {
  private struct Turn: Sendable {
    let start: Instant
    let end: Instant
    /// What the thread spent.
    let spent: Duration
  }

  private struct State: Sendable {
    /// When the application's code was come to in this turn, and what the thread had spent by then.
    var entered: (at: Instant, spent: Duration)?
    var turns: [Turn] = []
  }

  private let state = Locked(State())
  private let runtime: any Runtime

  init(_ runtime: any Runtime) { self.runtime = runtime }

  /// What the calling thread has spent in all: processor time, so that it does not count for how long others had
  /// the processor. On a virtual clock nobody takes it away.
  private var spent: Duration {
    guard runtime.clockKind == .live else { return Instant.zero.duration(to: runtime.now) }
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The application's code begins.
  func enter() {
    let entered = (runtime.now, spent)
    state.withLock { $0.entered = $0.entered ?? entered }
  }

  /// The turn ends.
  func turnEnded() {
    let (now, spent) = (runtime.now, spent)
    state.withLock { state in
      guard let entered = state.entered else { return }
      state.entered = nil
      state.turns.append(Turn(start: entered.at, end: now, spent: spent - entered.spent))
    }
  }

  /// When the last turn that came to the application's code ended.
  var lastTurnEnd: Instant { state.withLock { $0.turns.last?.end ?? .zero } }

  /// For how long it served nobody else, at most.
  var longestStall: Duration {
    state.withLock { $0.turns.map { $0.start.duration(to: $0.end) }.max() ?? .zero }
  }

  /// How much of each frame it spent; a turn that goes on over several counts evenly.
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
  /// What that share of them does not exceed.
  func percentile(_ share: Double) -> Duration {
    guard !isEmpty else { return .zero }
    let place = Int((Double(count) * share).rounded(.up)) - 1
    return sorted()[Swift.min(Swift.max(place, 0), count - 1)]
  }
}
