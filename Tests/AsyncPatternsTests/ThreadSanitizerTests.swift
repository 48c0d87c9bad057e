import AsyncPatterns
import Dispatch
import Foundation
import Testing

/// What a run of the tests under ThreadSanitizer is worth: it must report a race that is there.
@Suite struct ThreadSanitizerTests {
  @Test(.enabled(if: isLive, "The tests do not run under ThreadSanitizer."))
  func aRaceInsideTheModuleIsReported() async {
    // 66 is how a program ends that ThreadSanitizer has found fault with.
    await #expect(processExitsWith: .exitCode(66)) {
      raceForALane()
      exit(0)
    }
  }

  @Test(.enabled(if: isLive, "The tests do not run under ThreadSanitizer."))
  func nothingIsReportedWhereOneWaitsForTheOther() async {
    await #expect(processExitsWith: .exitCode(0)) {
      takeTurnsForALane()
      exit(0)
    }
  }

  private static var isLive: Bool { dlsym(nil, "__tsan_init") != nil }
}

/// Writes to one lane context from two threads, of which neither waits for the other.
private func raceForALane() {
  let isOver = DispatchSemaphore(value: 0)
  for write in writes(toLaneOf: LaneContext.current) {
    Thread.detachNewThread {
      write()
      isOver.signal()
    }
  }
  isOver.wait()
  isOver.wait()
}

/// The same, but the second thread begins when the first one is done.
private func takeTurnsForALane() {
  let isOver = DispatchSemaphore(value: 0)
  for write in writes(toLaneOf: LaneContext.current) {
    Thread.detachNewThread {
      write()
      isOver.signal()
    }
    isOver.wait()
  }
}

private func writes(toLaneOf context: LaneContext) -> [@Sendable () -> Void] {
  // Of all the module's state, this alone is one thread's own and under no lock.
  nonisolated(unsafe) let context = context
  return (1...2).map { number in { context.lane = Lane(number: number) } }
}
