import AsyncPatterns
import AsyncRender

/// The counters of a fling.
final class Tally: Sendable {
  /// The kinds of drawings.
  enum Kind: Sendable, CaseIterable { case card, text }

  struct Counts: Sendable {
    /// Rows that came into view.
    var rows = 0
    /// Rows that were not visible in the frame after the one in which they came.
    var late = 0
    /// Of these, rows that left before they were visible.
    var unseen = 0
    /// The number of calls of `willDisplay` and `didDisplay`.
    var announced = 0
    var ended = 0
    /// The time of each complete drawing.
    var costs: [Kind: [Duration]] = [:]
  }

  let main: MainThread
  private let state = Locked(Counts())

  init(_ runtime: any Runtime) { main = MainThread(runtime) }

  var counts: Counts { state.withLock { $0 } }

  func noteRows(_ count: Int) { state.withLock { $0.rows += count } }
  func noteUnseen() { state.withLock { $0.unseen += 1 } }
  func noteLate() { state.withLock { $0.late += 1 } }
  func noteAnnounced() { state.withLock { $0.announced += 1 } }
  func noteEnded() { state.withLock { $0.ended += 1 } }

  /// Counts a complete drawing.
  func note(_ duration: Duration, of kind: Kind) {
    state.withLock { $0.costs[kind, default: []].append(duration) }
  }
}
