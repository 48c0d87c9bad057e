import PatternTesting
import Testing

/// On which thread of a pool a serial scheduler runs its jobs.
@Suite(.timeLimit(.minutes(1))) struct SerialThreadTests {
  @Test func `it goes on on its thread, whatever others have to do, as long as some are idle`()
    async
  {
    // More workers than there are jobs, so that each job of the pool has one that is idle.
    let runtime = LiveRuntime(workers: 40)
    let serial = runtime.serial("lane")
    let gate = runtime.semaphore(0)
    let marks = Locked<[ThreadMark]>([])
    await ended { end in
      serial.schedule { gate.wait() }
      for number in 1...20 {
        serial.schedule {
          let mark = ThreadMark.current
          marks.withLock { if !$0.contains(where: { $0 === mark }) { $0.append(mark) } }
          // Waits for its worker to wake up when this job is over.
          runtime.pool.schedule {}
          if number == 20 { end() }
        }
      }
      gate.signal()
    }
    #expect(marks.withLock { $0.count } == 1)
  }
}
