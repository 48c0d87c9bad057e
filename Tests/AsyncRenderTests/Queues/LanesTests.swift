import Testing

@testable import AsyncRender

@Suite struct LanesTests {
  private func displayed(
    _ studio: Studio, _ count: Int, priority: (Int) -> Priority = { _ in .normal }
  ) -> [RenderLayer] {
    let layers = (0..<count).map { number in
      let layer = studio.layer("\(number)-", steps: 2)
      layer.priority = priority(number)
      layer.setNeedsDisplay()
      return layer
    }
    return layers
  }

  private func order(_ studio: Studio) -> [String] {
    studio.log.entries.compactMap {
      $0.hasPrefix("draw ") ? String($0.dropFirst(5).prefix { $0 != "-" }) : nil
    }
  }

  @Test func `there are as many queues as cores, up to sixteen`() {
    #expect(Studio(workers: 3).renderer.laneCount == 3)
    #expect(Studio(workers: 40).renderer.laneCount == 16)
    #expect(Studio(lanes: .queues(count: 100)).renderer.laneCount == 16)
    #expect(Studio(lanes: .queues(count: -1)).renderer.laneCount == 1)
    #expect(Studio(lanes: .workers(count: 0)).renderer.laneCount == 1)
    #expect(Studio(workers: 40, lanes: .workers()).renderer.laneCount == 40)
    #expect((1...16).contains(Renderer.shared.laneCount))
  }

  @Test func `drawings are assigned to queues in rotation, whatever their load`() {
    let studio = Studio(lanes: .queues(count: 2))
    // The first queue gets the first and the third drawing, although the second queue finishes long before.
    let slow = studio.layer("slow-", step: .ms(50))
    slow.setNeedsDisplay()
    let layers = displayed(studio, 3)
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("did") } == [
        "did 0-1 shown@10", "did 2-1 shown@20", "did slow-1 shown@100", "did 1-1 shown@110",
      ])
    withExtendedLifetime(layers) {}
  }

  @Test func `workers take any queued drawing`() {
    let studio = Studio(lanes: .workers(count: 2))
    let slow = studio.layer("slow-", step: .ms(50))
    slow.setNeedsDisplay()
    let layers = displayed(studio, 3)
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("did") } == [
        "did 0-1 shown@10", "did 1-1 shown@20", "did 2-1 shown@30", "did slow-1 shown@100",
      ])
    withExtendedLifetime(layers) {}
  }

  @Test(arguments: [1, 2, 3]) func `the number of workers limits running drawings`(_ count: Int) {
    let studio = Studio(workers: 8, lanes: .workers(count: count))
    let layers = displayed(studio, 12)
    studio.run()
    #expect(studio.time == (12 / count) * 10)
    withExtendedLifetime(layers) {}
  }

  @Test func `the highest priority goes first, then the earliest`() {
    let studio = Studio(lanes: .workers(count: 1))
    let priorities: [Priority] = [.normal, .low, .normal, .high, .low, .high, 7]
    let layers = displayed(studio, 7) { priorities[$0] }
    studio.run()
    #expect(order(studio) == ["3", "5", "6", "0", "2", "1", "4"])
    withExtendedLifetime(layers) {}
  }

  @Test func `a priority can change while the drawing is queued`() {
    let studio = Studio(lanes: .workers(count: 1))
    let layers = displayed(studio, 5)
    studio.at(5) {
      layers[4].priority = .high
      layers[1].priority = .low
      layers[2].priority = .high
      // Changing the priority and restoring it moves the drawing behind the others of that priority.
      layers[4].priority = .low
      layers[4].priority = .normal
      // This one is already being drawn.
      layers[0].priority = .low
    }
    studio.run()
    #expect(order(studio) == ["0", "2", "3", "4", "1"])
    #expect(layers.allSatisfy { $0.metrics.drawn == 1 })
  }

  @Test
  func `many priority changes keep the queue within a multiple of the queued drawings`() throws {
    let studio = Studio(lanes: .workers(count: 1))
    let workers = try #require(studio.renderer.lanes as? DisplayWorkers)
    let layers = displayed(studio, 20)
    studio.run(until: 5)
    var most = 0
    for change in 1...5_000 {
      layers[change % 20].priority = Priority(change * 7 % 101)
      most = max(most, workers.placeCount)
    }
    #expect(most <= 2 * 19 + 17 && workers.placeCount >= 19)
    studio.run()
    #expect(layers.allSatisfy { $0.metrics.drawn == 1 } && workers.placeCount == 0)
  }

  @Test func `repeated requests while workers are busy take no more memory`() throws {
    let studio = Studio(lanes: .workers(count: 1))
    let workers = try #require(studio.renderer.lanes as? DisplayWorkers)
    let slow = studio.layer("slow-", step: .ms(500))
    slow.setNeedsDisplay()
    let layers = (0..<3).map { studio.layer("\($0)-") }
    let most = Locked(0)
    for time in 1...300 {
      studio.at(time) {
        for layer in layers { layer.setNeedsDisplay() }
        most.withLock { $0 = max($0, workers.placeCount) }
      }
    }
    studio.run()
    #expect(most.withLock { $0 } > 0 && most.withLock { $0 } <= 2 * 3 + 17)
    #expect(workers.placeCount == 0 && slow.metrics.drawn == 1)
    #expect(layers.allSatisfy { $0.metrics.drawn == 1 && $0.metrics.displays == 300 })
  }

  @Test func `queues ignore priorities`() {
    let studio = Studio(lanes: .queues(count: 1))
    let layers = displayed(studio, 3) { Priority($0) }
    studio.run(until: 5)
    layers[2].priority = .high
    studio.run()
    #expect(order(studio) == ["0", "1", "2"])
  }

  @Test func `a drawing that is cancelled while queued costs the workers nothing`() {
    let studio = Studio(lanes: .workers(count: 1))
    let layers = displayed(studio, 5)
    studio.at(5) { for layer in layers[1...3] { layer.cancelDisplay() } }
    studio.run()
    #expect(order(studio) == ["0", "4"])
    #expect(studio.time == 20)
    #expect(studio.renderer.metrics.cancelledBeforeDrawing == 3)
  }

  @Test func `the metrics of a renderer include all of its layers, even those that were released`()
  {
    let studio = Studio()
    let layers = displayed(studio, 3)
    do {
      let gone = displayed(studio, 2)
      studio.run()
      withExtendedLifetime(gone) {}
    }
    layers[0].setNeedsDisplay()
    studio.at(23) { layers[0].setNeedsDisplay() }
    studio.run()
    let metrics = studio.renderer.metrics
    #expect(metrics.drawn == 6 && metrics.requested == 7 && metrics.cancelledWhileDrawing == 1)
    #expect(metrics.drawingTime == .ms(65) && metrics.wastedTime == .ms(5))
    #expect(metrics.longestDrawing == .ms(10) && metrics.isBalanced)
  }
}
