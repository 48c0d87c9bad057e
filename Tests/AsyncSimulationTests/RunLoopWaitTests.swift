import Foundation
import Testing

@testable import AsyncSimulation

/// Waits in run loops that are not the simulation's own, as in a program that `playground explore` runs.
@Suite struct RunLoopWaitTests {
  private final class Loop {}
  private let runtime = SimulatedRuntime()
  private let log = Log()
  private let runLoop = Loop()

  /// Runs `body` on the main lane until nothing is left to do.
  private func onMain(_ body: @escaping @Sendable (Waiting) -> Void) {
    let waiting = Waiting(
      loop: runtime.loop, address: UInt(bitPattern: Unmanaged.passUnretained(runLoop).toOpaque()))
    runtime.main.schedule { body(waiting) }
    #expect(runtime.runUntilIdle() == .idle)
  }

  private struct Waiting: Sendable {
    let loop: EventLoop
    let address: UInt
    private var runLoop: UnsafeRawPointer { UnsafeRawPointer(bitPattern: address)! }

    init(loop: EventLoop, address: UInt) {
      self.loop = loop
      self.address = address
    }

    func wait(until deadline: Instant? = nil, lookingAt nextLook: Instant? = nil) {
      loop.wait(in: runLoop, until: deadline, lookingAt: nextLook)
    }

    func wake() { loop.wake(runLoop) }
  }

  @Test func `jobs of main run on the thread that waits, and others elsewhere`() {
    onMain { [runtime, log] waiting in
      let thread = Threads.current
      runtime.pool.schedule {
        log.append("pool \(Threads.current == thread)")
        runtime.main.schedule { log.append("main \(Threads.current == thread)") }
      }
      waiting.wait()
      log.append("waited \(Threads.current == thread)")
    }
    #expect(log.entries == ["pool false", "main true", "waited true"])
  }

  @Test func `a wait ends when its run loop is woken, or at its deadline`() {
    onMain { [runtime, log] waiting in
      runtime.pool.schedule(after: .ms(5)) { waiting.wake() }
      waiting.wait()
      log.append("woken at \(runtime.now.nanoseconds)")
      waiting.wait(until: runtime.now.advanced(by: .ms(20)))
      log.append("reached \(runtime.now.nanoseconds)")
    }
    #expect(log.entries == ["woken at 5000000", "reached 25000000"])
  }

  @Test func `a job of main may wait itself, while another wait is in progress`() {
    onMain { [runtime, log] waiting in
      runtime.main.schedule {
        log.append("inner begins")
        waiting.wait(until: runtime.now.advanced(by: .ms(1)))
        log.append("inner ends")
      }
      runtime.pool.schedule(after: .ms(2)) { log.append("pool") }
      waiting.wait()
      log.append("outer ends at \(runtime.now.nanoseconds)")
    }
    #expect(log.entries == ["inner begins", "inner ends", "outer ends at 1000000", "pool"])
  }

  @Test func `a job of main that blocks keeps the thread that waits`() {
    onMain { [runtime, log] waiting in
      let thread = Threads.current
      let semaphore = runtime.semaphore(0)
      runtime.main.schedule {
        semaphore.wait()
        log.append("signalled \(Threads.current == thread)")
      }
      runtime.pool.schedule(after: .ms(3)) { semaphore.signal() }
      waiting.wait()
      log.append("waited until \(runtime.now.nanoseconds)")
    }
    #expect(log.entries == ["signalled true", "waited until 3000000"])
  }

  @Test func `looks are left out until shortly before the next timer`() {
    onMain { [runtime, log] waiting in
      let isDone = Locked(false)
      runtime.pool.schedule(after: .seconds(3_600)) {
        isDone.withLock { $0 = true }
        waiting.wake()
      }
      while !isDone.withLock({ $0 }) {
        waiting.wait(lookingAt: runtime.now.advanced(by: .ms(100)))
        log.append("\(runtime.now.nanoseconds / 1_000_000)")
      }
    }
    #expect(log.entries == ["3599750", "3599850", "3599950", "3600000"])
  }

  @Test func `a job of the pool is blocked while it waits, and main is not`() {
    onMain { [runtime, log] waiting in
      runtime.pool.schedule {
        waiting.wait()
        log.append("pool at \(runtime.now.nanoseconds)")
      }
      runtime.main.schedule(after: .ms(1)) {
        log.append("main")
        waiting.wake()
      }
    }
    #expect(log.entries == ["main", "pool at 1000000"])
  }
}
