import AsyncPatterns

/// The run loops of Foundation that a program runs. They are called by an agent that replaces their functions.
extension ProgramRun {
  /// Whether the calling thread belongs to the simulation, and so may wait in it.
  package var isOnCallingThread: Bool { loop.isCarriedByCaller }

  /// Waits until the run loop is woken or the deadline comes. It may return earlier.
  ///
  /// The main thread runs the jobs of the main actor meanwhile. Any other thread is blocked.
  ///
  /// - Parameters:
  ///   - deadline: nil if there is none.
  ///   - nextLook: when the caller would look again for something that has changed; nil if it only waits.
  package func wait(
    inRunLoop runLoop: UnsafeRawPointer, until deadline: Instant?, lookingAt nextLook: Instant?
  ) {
    loop.wait(in: runLoop, until: deadline, lookingAt: nextLook)
  }

  /// Ends the waits in a run loop. Any thread may call it.
  package func wake(runLoop: UnsafeRawPointer) {
    let address = UInt(bitPattern: runLoop)
    loop.perform { loop in
      if let runLoop = UnsafeRawPointer(bitPattern: address) { loop.wake(runLoop) }
    }
  }

  /// Runs `body` as a thread of its own would, which takes no worker of the pool.
  package func startThread(_ label: String, _ body: @escaping @Sendable () -> Void) {
    runtime.runLoop(label).schedule(body)
  }
}
