import Dispatch

/// What the items of a queue count in, plainly: if two of them ever ran at once, the count would be short
/// and the wait for it would not end.
final class Tally: @unchecked Sendable {
  // Safe because only the items of one serial queue touch the count, one after another, and whoever waits
  // has been signalled by the last of them.
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

  /// Waits until it is whole.
  func wait() {
    guard isWhole.wait(timeout: .now() + .seconds(60)) == .success else {
      fatalError("\(count) of \(whole) items ran: two ran at once, or some were lost")
    }
  }
}
