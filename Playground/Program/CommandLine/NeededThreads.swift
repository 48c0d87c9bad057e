import Dispatch
import Foundation

/// Checks that the program can have the threads that it needs. Without them, Dispatch would wait for a thread forever,
/// so Ctrl-C and the time limit would have no effect.
enum NeededThreads {
  /// Enough for signals, timers, saving, and the workers of a run.
  private static let count = 8

  /// Creates threads and ends them again.
  ///
  /// - Throws: a `CommandError` if the system refuses one of them.
  static func check() throws {
    let gate = DispatchSemaphore(value: 0)
    var threads: [pthread_t] = []
    defer {
      for _ in threads { gate.signal() }
      for thread in threads { pthread_join(thread, nil) }
    }
    for _ in 0..<count {
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { gate in
          Unmanaged<DispatchSemaphore>.fromOpaque(gate!).takeUnretainedValue().wait()
          return nil
        }, Unmanaged.passUnretained(gate).toOpaque())
      guard code == 0 else {
        throw CommandError(
          "the system allows this program fewer than \(count + 1) threads, or too little memory for them",
          hint: "raise the limit: “ulimit -u” for threads, “ulimit -v” for memory")
      }
      threads.append(thread)
    }
  }
}
