import AsyncPatterns
import Dispatch
import Foundation
import Testing

/// Checks that a run of the tests under ThreadSanitizer reports a race that exists.
@Suite struct ThreadSanitizerTests {
  @Test(.enabled(if: isLive, "The tests do not run under ThreadSanitizer."))
  func `a race inside the module is reported`() async {
    // A program in which ThreadSanitizer has found an error exits with 66.
    await #expect(processExitsWith: .exitCode(66)) {
      raceForALane()
      exit(0)
    }
  }

  @Test(.enabled(if: isLive, "The tests do not run under ThreadSanitizer."))
  func `nothing is reported if one thread waits for the other`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      takeTurnsForALane()
      exit(0)
    }
  }

  private static var isLive: Bool { dlsym(nil, "__tsan_init") != nil }
}

/// Writes to one lane context from two threads that do not wait for each other.
private func raceForALane() {
  let hasWritten = DispatchSemaphore(value: 0)
  for write in writes(toLaneOf: LaneContext.current) {
    Thread.detachNewThread {
      write()
      hasWritten.signal()
    }
  }
  hasWritten.wait()
  hasWritten.wait()
}

/// Writes to one lane context from two threads. The second one starts after the first one has finished.
private func takeTurnsForALane() {
  let hasWritten = DispatchSemaphore(value: 0)
  for write in writes(toLaneOf: LaneContext.current) {
    Thread.detachNewThread {
      write()
      hasWritten.signal()
    }
    hasWritten.wait()
  }
}

private func writes(toLaneOf context: LaneContext) -> [@Sendable () -> Void] {
  // In this module, only the lane context belongs to a single thread and has no lock.
  nonisolated(unsafe) let context = context
  return (1...2).map { number in { context.lane = Lane(number: number) } }
}
