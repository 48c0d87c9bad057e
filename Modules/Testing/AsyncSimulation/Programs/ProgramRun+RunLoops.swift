import AsyncPatterns

/// Support for the run loops of Foundation in a program. An agent replaces Foundation's functions, and calls these.
extension ProgramRun {
  /// Whether the calling thread belongs to the simulation, and so may wait in it.
  package var isOnCallingThread: Bool { loop.isCarriedByCaller }

  /// Waits until the run loop is woken or the deadline comes. It may return earlier.
  ///
  /// The main thread runs the jobs of the main actor meanwhile. Any other thread is blocked.
  ///
  /// - Parameters:
  ///   - deadline: nil if there is none.
  ///   - nextLook: when the caller would check again for changes; nil if it only waits.
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

  /// Runs `body` as if on a thread of its own, so that it takes no worker of the pool.
  package func startThread(_ label: String, _ body: @escaping @Sendable () -> Void) {
    runtime.runLoop(label).schedule(body)
  }
}
