import PatternTesting
import Testing

/// Checks on which thread of a pool a serial scheduler runs its jobs.
@Suite(.timeLimit(.minutes(1))) struct SerialThreadTests {
  @Test func `it stays on its thread as long as some workers are idle`()
    async
  {
    // There are more workers than jobs, so an idle worker exists for each job of the pool.
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
          // This job stays queued until its worker wakes up, which is after the current job.
          runtime.pool.schedule {}
          if number == 20 { end() }
        }
      }
      gate.signal()
    }
    #expect(marks.withLock { $0.count } == 1)
  }
}
