import Dispatch

/// A plain counter for the items of a queue. If two items ever ran at the same time, the count would be too small, and
/// the wait for it would not end.
final class Tally: @unchecked Sendable {
  // Safe to share: only the items of one serial queue change the count, one after another. The last item signals the
  // waiting thread.
  private var count = 0
  private let whole: Int
  private let isWhole = DispatchSemaphore(value: 0)

  init(_ whole: Int) { self.whole = whole }

  @inline(__always)
  func add() {
    count += 1
    if count == whole { isWhole.signal() }
  }

  @inline(never)
  func addAsynchronously() async { add() }

  /// Waits until the count is complete.
  func wait() {
    guard isWhole.wait(timeout: .now() + .seconds(60)) == .success else {
      fatalError("\(count) of \(whole) items ran: two ran at the same time, or some were lost")
    }
  }
}
