internal import DequeModule

/// Runs what must not run inside the code that asks for it: first in, first out, as soon as that code
/// has returned. A million steps that each start the next one need no stack.
final class Trampoline {
  /// What is to run.
  enum Bounce {
    case start(CompletionToken)
    case body(() -> Void)

    func run() {
      switch self {
      case .start(let token): token.start()
      case .body(let body): body()
      }
    }
  }

  // Only the lane's own thread touches them, so accesses need no dynamic check.
  @exclusivity(unchecked) private var pending: Deque<Bounce> = []
  @exclusivity(unchecked) private var isRunning = false

  /// Runs `bounce` and then whatever it left behind, or leaves it behind if the lane is already at it.
  func run(_ bounce: Bounce) {
    if isRunning {
      pending.append(bounce)
    } else {
      self.bounce { bounce.run() }
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
    while let next = pending.popFirst() { next.run() }
  }
}
