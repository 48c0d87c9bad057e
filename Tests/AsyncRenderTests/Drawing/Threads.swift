import Foundation

/// Calls `body` on that many threads as nearly at once as can be, and returns when all have.
///
/// Threads of their own: those of a pool are as many as there are cores, and keep what they have set up.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void) {
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
