import Foundation

/// Calls `body` on that many threads as nearly at once as can be, and returns when all have.
///
/// Threads of their own: those of a pool are as many as there are cores, so that code which waits for another
/// thread might wait for one that never comes; and they keep what they have set up.
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
