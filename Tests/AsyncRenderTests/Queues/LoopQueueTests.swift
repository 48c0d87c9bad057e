import Testing

@testable import AsyncRender

@Suite struct LoopQueueTests {
  private let studio = Studio(lanes: .workers(count: 1))

  private func queue(
    _ runtime: WatchedRuntime, interval: Duration? = nil
  ) -> (queue: LoopQueue, note: @Sendable (String) -> Void) {
    let queue = LoopQueue(on: runtime.main, interval: interval)
    return (queue, { [studio] in studio.note($0) })
  }

  @Test func `all jobs that arrive before the loop runs take one hop, in order`() {
    let runtime = WatchedRuntime(studio.runtime)
    let (queue, note) = queue(runtime)
    studio.runtime.pool.schedule {
      for number in 1...5 { queue.schedule { note("\(number)") } }
    }
    studio.run()
    #expect(studio.log.entries == ["1@0", "2@0", "3@0", "4@0", "5@0"])
    #expect(runtime.jobs == ["main"])
  }

  @Test func `jobs that arrive meanwhile take another hop, behind the others`() {
    let runtime = WatchedRuntime(studio.runtime)
    let (queue, note) = queue(runtime)
    studio.at(0) {
      queue.schedule {
        note("a")
        queue.schedule { note("c") }
        runtime.main.schedule { note("between") }
      }
      queue.schedule { note("b") }
    }
    studio.run()
    #expect(studio.log.entries == ["a@0", "b@0", "c@0", "between@0"])
    #expect(runtime.jobs == ["main", "main", "main"])
  }

  @Test func `a deferrable job waits for a job after the interval, or for four intervals`() {
    let runtime = WatchedRuntime(studio.runtime)
    let (queue, note) = queue(runtime, interval: .ms(20))
    for time in [5, 6, 7, 30, 31] {
      studio.at(time) { queue.schedule(canWait: true) { note("\(time)") } }
    }
    studio.at(35) { queue.schedule { note("35") } }
    studio.at(36) { queue.schedule(canWait: true) { note("36") } }
    studio.at(90) { queue.schedule(canWait: true) { note("90") } }
    studio.run()
    #expect(
      studio.log.entries == [
        "5@5", "6@30", "7@30", "30@30", "31@35", "35@35", "36@85", "90@165",
      ])
  }

  @Test func `deferred jobs can be fetched immediately`() {
    let runtime = WatchedRuntime(studio.runtime)
    let (queue, note) = queue(runtime, interval: .ms(20))
    studio.at(0) { queue.schedule { note("0") } }
    for time in [5, 6] { studio.at(time) { queue.schedule(canWait: true) { note("\(time)") } } }
    for _ in 1...2 { studio.at(7) { queue.flush() } }
    studio.run()
    #expect(studio.log.entries == ["0@0", "5@7", "6@7"])
    #expect(runtime.jobs == ["main", "main", "main"])
    queue.flush()
    #expect(runtime.jobs.count == 3)
  }

  @Test func `pictures wait to be shown together, except the first and the last`() {
    let renderer = Renderer(
      lanes: .workers(count: 1), showInterval: .ms(25), runtime: studio.runtime)
    let layers = (0..<6).map { number in
      RenderLayer(size: Size(width: 4, height: 4), renderer: renderer) { [studio] _ in
        studio.task("\(number)")
      }
    }
    for layer in layers { layer.setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("did") } == [
        "did 0 shown@10", "did 1 shown@40", "did 2 shown@40", "did 3 shown@40", "did 4 shown@60",
        "did 5 shown@60",
      ])
    #expect(renderer.showInterval == .ms(25))
    #expect(renderer.metrics.drawn == 6 && renderer.metrics.isBalanced)
  }

  @Test func `a cancelled display is reported without a wait`() {
    let renderer = Renderer(
      lanes: .workers(count: 1), showInterval: .ms(500), runtime: studio.runtime)
    let layers = (0..<4).map { number in
      RenderLayer(size: Size(width: 4, height: 4), renderer: renderer) { [studio] _ in
        studio.task("\(number)")
      }
    }
    for layer in layers { layer.setNeedsDisplay() }
    studio.at(25) { layers[3].cancelDisplay() }
    studio.at(45) { layers[3].setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("did") } == [
        "did 0 shown@10", "did 1 shown@25", "did 3 cancelled@25", "did 2 shown@30",
        "did 3 shown@55",
      ])
  }
}
