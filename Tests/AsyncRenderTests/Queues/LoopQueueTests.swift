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

  @Test func `all that comes before the loop does takes one hop, in order`() {
    let runtime = WatchedRuntime(studio.runtime)
    let (queue, note) = queue(runtime)
    studio.runtime.pool.schedule {
      for number in 1...5 { queue.schedule { note("\(number)") } }
    }
    studio.run()
    #expect(studio.log.entries == ["1@0", "2@0", "3@0", "4@0", "5@0"])
    #expect(runtime.jobs == ["main"])
  }

  @Test func `what comes meanwhile takes a hop of its own, behind the others`() {
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

  @Test func `what can wait does until something comes after the interval, or for four of them`() {
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

  @Test func `what waits can be fetched at once`() {
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

  @Test func `pictures wait to be shown together, but neither the first nor the last`() {
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
    #expect(renderer.figures.drawn == 6 && renderer.figures.isBalanced)
  }

  @Test func `who is called off does not wait`() {
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
