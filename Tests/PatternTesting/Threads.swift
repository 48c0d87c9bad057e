import Foundation

/// Calls `body` on this many threads, as nearly at the same time as possible, and returns when all calls have returned.
///
/// The threads are new. A pool has only as many threads as there are cores, so code that waits for another thread might
/// wait forever. Threads of a pool also keep their state.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void) {
  let ready = DispatchGroup()
  let done = DispatchGroup()
  for _ in 0..<count { ready.enter() }
  for number in 0..<count {
    done.enter()
    Thread.detachNewThread {
      ready.leave()
      ready.wait()
      body(number)
      done.leave()
    }
  }
  done.wait()
}
