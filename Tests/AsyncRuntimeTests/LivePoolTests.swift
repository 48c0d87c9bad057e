import AsyncRuntime
import PatternTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct LivePoolTests {
  @Test(arguments: [1, 4, 16, 300])
  func `as many jobs can block at the same time as there are workers`(width: Int) async {
    let runtime = LiveRuntime(workers: width)
    #expect(runtime.width == width)
    let gate = runtime.semaphore(0)
    let arrived = Locked(0)
    // No job passes the gate before all jobs have reached it.
    await ended { end in
      let left = Locked(width)
      for _ in 1...width {
        runtime.pool.schedule {
          let isLast = arrived.withLock { arrived in
            arrived += 1
            return arrived == width
          }
          if isLast { for _ in 1...width { gate.signal() } }
          gate.wait()
          if left.withLock({ left in
            left -= 1
            return left == 0
          }) {
            end()
          }
        }
      }
    }
    #expect(arrived.withLock { $0 } == width)
  }

  @Test(arguments: [(Int.min, 1), (0, 1), (3, 3), (Int.max, 1024)])
  func `the number of workers is bounded`(asked: Int, width: Int) async {
    let runtime = LiveRuntime(workers: asked)
    #expect(runtime.width == width)
    await ended { end in runtime.pool.schedule { end() } }
  }

  @Test func `no more jobs run at the same time than there are workers`() async {
    let runtime = LiveRuntime(workers: 3)
    let running = Locked((now: 0, most: 0, left: 1_000))
    await ended { end in
      for _ in 1...1_000 {
        runtime.pool.schedule {
          running.withLock { running in
            running.now += 1
            running.most = max(running.most, running.now)
          }
          let isLast = running.withLock { running in
            running.now -= 1
            running.left -= 1
            return running.left == 0
          }
          if isLast { end() }
        }
      }
    }
    #expect((1...3).contains(running.withLock { $0.most }))
  }

  @Test func `one worker runs jobs in the order they were scheduled`() async {
    let runtime = LiveRuntime(workers: 1)
    let order = Locked<[Int]>([])
    await ended { end in
      for number in 1...100 { runtime.pool.schedule { order.withLock { $0.append(number) } } }
      runtime.pool.schedule { end() }
    }
    #expect(order.withLock { $0 } == Array(1...100))
  }

  @Test func `blocked workers delay neither timers nor the main lane`() async {
    let runtime = LiveRuntime(workers: 2)
    let gate = runtime.semaphore(0)
    await ended { end in
      let left = Locked(2)
      for _ in 1...2 {
        runtime.pool.schedule {
          gate.wait()
          if left.withLock({ left in
            left -= 1
            return left == 0
          }) {
            end()
          }
        }
      }
      runtime.main.schedule(after: .milliseconds(1)) {
        gate.signal()
        gate.signal()
      }
    }
  }

  @Test func `a worker has a lane of its own`() async {
    let runtime = LiveRuntime(workers: 1)
    let lanes = Locked<Set<Lane>>([])
    await ended { end in
      for number in 1...10 {
        runtime.pool.schedule {
          lanes.withLock { _ = $0.insert(LaneContext.current.lane) }
          if number == 10 { end() }
        }
      }
    }
    #expect(lanes.withLock { $0.count } == 1)
    #expect(lanes.withLock { !$0.contains(.main) })
  }
}
