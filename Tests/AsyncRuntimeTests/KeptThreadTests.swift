import PatternTesting
import Testing

/// Which threads of a pool stay when there is nothing to do for them.
@Suite(.timeLimit(.minutes(1))) struct KeptThreadTests {
  /// A thread that may go does so as soon as it has nothing to do.
  @Test func `one that is kept does all there is to do, one thing after another`() async {
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

  @Test func `of two the one ends that has nothing to do while the other is there`() async {
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

  @Test func `those that are kept end with the runtime`() async {
    await ended { end in
      let runtime = LiveRuntime(workers: 2, keeping: 2, patience: .zero)
      runtime.pool.schedule { ThreadMark.current.onEnd(end) }
    }
  }

  @Test func `none is kept if none is to be`() async {
    let runtime = LiveRuntime(workers: 1, keeping: 0, patience: .zero)
    for _ in 1...3 {
      await ended { end in runtime.pool.schedule { ThreadMark.current.onEnd(end) } }
    }
  }
}
