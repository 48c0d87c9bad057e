import Testing

/// The strengths of YYAsyncLayer, and the faults that were to be fixed.
@Suite struct RenderLayerTests {
  private let studio = Studio()

  @Test func `a display is announced, drawn, shown and reported on the right lanes`() {
    let lanes = Log()
    let layer = RenderLayer(size: Size(width: 3, height: 2), scale: 2, renderer: studio.renderer) {
      [studio] _ in
      lanes.append("task on \(LaneContext.current.lane.number)")
      return DisplayTask { canvas, size, _ in
        lanes.append(
          "display of \(size.width) x \(size.height) off main: "
            + "\(LaneContext.current.lane != .main)")
        studio.runtime.work(for: .ms(7))
        #expect(canvas.scale == 2)
      } willDisplay: { _ in
        lanes.append("will on \(LaneContext.current.lane.number)")
      } didDisplay: { layer, finished in
        lanes.append("did \(finished) on \(LaneContext.current.lane.number)")
        #expect(layer?.contents != nil)
      }
    }
    layer.onContentsChange = { picture in
      lanes.append(
        "contents \(picture?.width ?? 0) x \(picture?.height ?? 0) on "
          + "\(LaneContext.current.lane.number)")
    }
    layer.setNeedsDisplay()
    #expect(layer.needsDisplay)
    studio.run()
    #expect(
      lanes.entries == [
        "task on 0", "will on 0", "display of 3.0 x 2.0 off main: true", "contents 6 x 4 on 0",
        "did true on 0",
      ])
    #expect(studio.time == 7)
    #expect(!layer.needsDisplay)
  }

  @Test func `many requests in one turn start one display`() {
    let layer = studio.layer("a")
    studio.at(0) { for _ in 1...100 { layer.setNeedsDisplay() } }
    studio.run()
    #expect(
      studio.log.entries == ["will a1@0", "draw a1@0", "drawn a1@10", "did a1 shown@10"])
    #expect(layer.metrics.requested == 100 && layer.metrics.coalesced == 99)
  }

  @Test
  func `one pass a turn for all layers, after actions of lower order and before higher ones`() {
    let (first, second) = (studio.layer("a"), studio.layer("b"))
    let log = studio.log
    let lower = studio.runtime.atEndOfTurn(order: 1_999_999) { log.append("lower") }
    let higher = studio.runtime.atEndOfTurn(order: 2_000_001) { log.append("higher") }
    studio.at(1) {
      second.setNeedsDisplay()
      first.setNeedsDisplay()
      log.append("asked")
    }
    studio.run(until: 2)
    #expect(
      log.entries == [
        "asked", "lower", "will b1@1", "will a1@1", "higher", "draw b1@1", "draw a1@1",
      ])
    lower.cancel()
    higher.cancel()
    studio.run()
  }

  @Test func `a request from another lane wakes the run loop, only for the first layer of a turn`()
  {
    let runtime = WatchedRuntime(studio.runtime)
    let renderer = Renderer(runtime: runtime)
    let layers = (0..<10).map { _ in
      RenderLayer(size: Size(width: 1, height: 1), renderer: renderer) { _ in
        DisplayTask(display: { _, _, _ in })
      }
    }
    studio.runtime.pool.schedule { for layer in layers + layers { layer.setNeedsDisplay() } }
    studio.run()
    #expect(layers.allSatisfy { $0.contents != nil })
    #expect(runtime.wakeUps == 1)
    studio.runtime.pool.schedule { layers[3].setNeedsDisplay() }
    studio.run()
    #expect(runtime.wakeUps == 2)
    #expect(layers[3].metrics.drawn == 2)
  }

  @Test func `a display costs one hop to a drawing lane and one back`() {
    let runtime = WatchedRuntime(studio.runtime)
    let renderer = Renderer(runtime: runtime)
    let layer = RenderLayer(size: Size(width: 1, height: 1), renderer: renderer) { _ in
      DisplayTask(display: { _, _, _ in })
    }
    layer.setNeedsDisplay()
    studio.run()
    #expect(layer.contents != nil)
    #expect(runtime.jobs == ["display-1", "main"])
    layer.setNeedsDisplay()
    studio.run()
    #expect(runtime.jobs.dropFirst(2) == ["display-2", "main", "display-release"])
  }

  @Test func `nothing is left behind on any lane or at the end of a turn`() throws {
    let layer = studio.layer("a")
    for _ in 1...3 {
      layer.setNeedsDisplay()
      studio.run()
    }
    layer.displayImmediately()
    studio.run()
    try studio.runtime.finish()
    #expect(layer.metrics.drawn == 4)
  }

  @Test
  func `a request during the pass is displayed in the next turn without further calls`() {
    let other = studio.layer("b")
    let layer = RenderLayer(size: Size(width: 1, height: 1), renderer: studio.renderer) {
      [studio] _ in
      var task = studio.task("a")
      task.willDisplay = { _ in
        studio.note("will a")
        other.setNeedsDisplay()
      }
      return task
    }
    layer.setNeedsDisplay()
    studio.run()
    #expect(other.metrics.drawn == 1)
  }

  @Test func `a setting takes effect with the next display, and its getter returns it`() {
    let layer = studio.layer("a")
    layer.size = Size(width: 7, height: 3)
    layer.scale = 2
    layer.isOpaque = true
    layer.opacity = 0.5
    layer.priority = .high
    layer.policy = .atLeastEvery(3)
    #expect(layer.size == Size(width: 7, height: 3) && layer.scale == 2 && layer.isOpaque)
    #expect(layer.opacity == 0.5 && layer.priority == .high && layer.policy == .atLeastEvery(3))
    #expect(layer.contents == nil && !layer.needsDisplay)
    layer.setNeedsDisplay()
    studio.run()
    #expect(layer.contents?.width == 14 && layer.contents?.height == 6)
  }
}
