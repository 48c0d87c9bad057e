import Foundation

/// Calls `body` on that many threads at once, and returns when all have.
///
/// Threads of its own: those of Dispatch are as many as there are cores, so that code which waits for
/// another thread might wait for one that never comes.
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
