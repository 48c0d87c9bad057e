import AsyncRender

/// What is counted while the list is flung.
final class Tally: Sendable {
  struct Counts: Sendable {
    /// Rows that came into view.
    var rows = 0
    /// Rows that had nothing to show in the frame after the one in which they came.
    var late = 0
    /// Of these, rows that left before there was anything to show.
    var unseen = 0
    /// How often a `willDisplay`, and a `didDisplay`.
    var announced = 0
    var ended = 0
    /// How many drawings were begun, and how many of them nobody got to see.
    var drawings = 0
    var wasted = 0
    var wastedTime = Duration.zero
    /// How long each complete drawing took.
    var costs: [Duration] = []
  }

  let main: MainThread
  private let state = Locked(Counts())

  init(_ runtime: any Runtime) { main = MainThread(runtime) }

  var counts: Counts { state.withLock { $0 } }

  func noteRows(_ count: Int) { state.withLock { $0.rows += count } }
  func noteUnseen() { state.withLock { $0.unseen += 1 } }
  func noteLate() { state.withLock { $0.late += 1 } }
  func noteAnnounced() { state.withLock { $0.announced += 1 } }

  /// - Parameters:
  ///   - duration: how long was drawn; nil if that was not begun.
  ///   - isComplete: whether it was drawn to the end.
  ///   - isSeen: whether a row shows it.
  func noteEnded(_ duration: Duration?, isComplete: Bool, isSeen: Bool) {
    state.withLock { counts in
      counts.ended += 1
      guard let duration else { return }
      counts.drawings += 1
      if isComplete { counts.costs.append(duration) }
      if !isSeen {
        counts.wasted += 1
        counts.wastedTime += duration
      }
    }
  }
}
