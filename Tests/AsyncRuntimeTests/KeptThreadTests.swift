import PatternTesting
import Testing

/// Checks which threads of a pool stay alive while there are no jobs for them.
@Suite(.timeLimit(.minutes(1))) struct KeptThreadTests {
  /// With zero patience, a thread that is not kept ends as soon as it has no job.
  @Test func `a kept thread runs all jobs one after another`() async {
    let runtime = LiveRuntime(workers: 1, keeping: 1, patience: .zero)
    let marks = Locked<[ThreadMark]>([])
    for _ in 1...200 {
      await ended { end in
        runtime.pool.schedule {
          let mark = ThreadMark.current
          marks.withLock { if !$0.contains(where: { $0 === mark }) { $0.append(mark) } }
          end()
        }
      }
    }
    #expect(marks.withLock { $0.count } == 1)
  }

  @Test func `the idle one of two threads ends while the other one exists`() async {
    let runtime = LiveRuntime(workers: 2, keeping: 1, patience: .zero)
    let gate = runtime.semaphore(0)
    await ended { end in
      runtime.pool.schedule {
        gate.wait()
        end()
      }
      runtime.pool.schedule { ThreadMark.current.onEnd { gate.signal() } }
    }
  }

  @Test func `the kept threads end with the runtime`() async {
    await ended { end in
      let runtime = LiveRuntime(workers: 2, keeping: 2, patience: .zero)
      runtime.pool.schedule { ThreadMark.current.onEnd(end) }
    }
  }

  @Test func `no thread is kept if the number of threads to keep is zero`() async {
    let runtime = LiveRuntime(workers: 1, keeping: 0, patience: .zero)
    for _ in 1...3 {
      await ended { end in runtime.pool.schedule { ThreadMark.current.onEnd(end) } }
    }
  }
}
