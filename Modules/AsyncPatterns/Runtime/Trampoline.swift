internal import DequeModule

/// Runs what must not run inside the code that asks for it: first in, first out, as soon as that code
/// has returned. A million steps that each start the next one need no stack.
final class Trampoline {
  // Only the lane's own thread touches them, so accesses need no dynamic check.
  @exclusivity(unchecked) private var pending: Deque<() -> Void> = []
  @exclusivity(unchecked) private var isRunning = false

  /// Runs `body` and then whatever it left behind, or leaves it behind if the lane is already at it.
  func run(_ body: @escaping () -> Void) {
    if isRunning {
      pending.append(body)
    } else {
      bounce(body)
    }
  }

  /// Runs `body` at once; what it leaves behind runs after it, or after what the lane is at.
  func enter(_ body: () -> Void) {
    if isRunning { body() } else { bounce(body) }
  }

  private func bounce(_ body: () -> Void) {
    isRunning = true
    body()
    drain()
    isRunning = false
  }

  /// Runs what waits, before the lane parks: who parks may be waiting for just that.
  func drain() {
    while let next = pending.popFirst() { next() }
  }
}
