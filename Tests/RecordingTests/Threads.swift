import Foundation

/// Calls `body` on the given number of threads at the same time, and returns when all calls have returned.
///
/// It makes threads of its own. Dispatch might use fewer threads, so code that waits for another thread might wait
/// forever.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void) {
  let done = DispatchGroup()
  for number in 0..<count {
    done.enter()
    Thread.detachNewThread {
      body(number)
      done.leave()
    }
  }
  done.wait()
}
