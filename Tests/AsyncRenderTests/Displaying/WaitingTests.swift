import Testing

@Suite struct WaitingTests {
  private let studio = Studio()

  @Test func `a wait for a request ends with whichever display shows it`() {
    let layer = studio.layer("a")
    studio.at(0) { [studio] in
      layer.setNeedsDisplay()
      studio.wait(for: layer, "first")
    }
    studio.at(3) { [studio] in
      layer.setNeedsDisplay()
      studio.wait(for: layer, "second")
    }
    studio.run()
    #expect(
      Array(studio.log.entries.suffix(3)) == [
        "did a2 shown@13", "first shows a picture@13", "second shows a picture@13",
      ])
  }

  @Test func `a display that started before a request does not fulfil it`() {
    let layer = studio.layer("a", policy: .finishThenLatest)
    layer.setNeedsDisplay()
    studio.at(3) { [studio] in
      layer.setNeedsDisplay()
      studio.wait(for: layer, "second")
    }
    studio.run()
    #expect(studio.log.entries.last == "second shows a picture@20")
  }

  @Test func `a wait without a request ends immediately, and nothing is drawn`() {
    let layer = studio.layer("a")
    studio.wait(for: layer, "a")
    studio.run()
    #expect(studio.log.entries == ["a shows nothing@0"])
  }

  @Test func `a wait distinguishes cancelled, released and shown`() {
    let (shown, cancelled) = (studio.layer("a"), studio.layer("b"))
    let gone = Locked(RenderLayer?.some(studio.layer("c")))
    for layer in [shown, cancelled] { layer.setNeedsDisplay() }
    gone.withLock { $0 }?.setNeedsDisplay()
    studio.at(1) { [studio] in
      studio.wait(for: shown, "a")
      studio.wait(for: cancelled, "b")
      if let layer = gone.withLock({ $0 }) { studio.wait(for: layer, "c") }
    }
    studio.at(2) { cancelled.cancelDisplay() }
    studio.at(3) { gone.withLock { $0 = nil } }
    studio.run()
    let outcomes = studio.log.entries.filter {
      !$0.hasPrefix("d") && !$0.hasPrefix("w") && !$0.hasPrefix("s")
    }
    #expect(outcomes == ["b was cancelled@2", "c lost its layer@3", "a shows a picture@10"])
  }

  @Test func `a request has its result afterwards, too`() {
    let layer = studio.layer("a")
    let cancelled = layer.setNeedsDisplay()
    layer.cancelDisplay()
    studio.run()
    cancelled.onCompletion { [studio] in studio.note($0.summary) }
    studio.run()
    let shown = layer.setNeedsDisplay()
    studio.run()
    shown.onCompletion { [studio] in studio.note("then \($0.summary)") }
    studio.run()
    #expect(studio.log.entries.first == "was cancelled@0")
    #expect(studio.log.entries.last == "then shows a picture@10")
  }

  @Test func `asynchronous code waits for the picture`() async throws {
    let layer = studio.layer("a")
    let task = studio.runtime.task { [studio] in
      layer.setNeedsDisplay()
      let picture = try await layer.displayed()
      studio.note("awaited")
      return picture
    }
    studio.run()
    #expect(studio.log.entries.last == "awaited@10")
    #expect(try await task.value === layer.contents)
  }

  @Test func `asynchronous code that does not hold the layer is notified of its release`()
    async throws
  {
    let layer = Locked(RenderLayer?.some(studio.layer("a")))
    let request = try #require(layer.withLock { $0?.setNeedsDisplay() })
    let task = studio.runtime.task { try await request.value }
    studio.at(4) { layer.withLock { $0 = nil } }
    studio.run()
    await #expect(throws: DisplayError.layerGone) { try await task.value }
  }

  @Test func `asynchronous code is notified if its display is cancelled for good`() async throws {
    let layer = studio.layer("a")
    let task = studio.runtime.task {
      layer.setNeedsDisplay()
      return try await layer.displayed()
    }
    studio.at(4) { layer.cancelDisplay() }
    studio.run()
    await #expect(throws: DisplayError.cancelled) { try await task.value }
  }

  @Test func `a cancelled task stops waiting and is forgotten`() async throws {
    let layer = studio.layer("a")
    layer.isDisplaySuspended = true
    let request = layer.setNeedsDisplay()
    let task = studio.runtime.task { try await request.value }
    studio.at(5) { task.cancel() }
    studio.run()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(studio.time == 5)
    layer.isDisplaySuspended = false
    studio.run()
    #expect(layer.metrics.drawn == 1)
  }

  @Test func `a handler that is removed is not called`() {
    let layer = studio.layer("a")
    layer.setNeedsDisplay()
    let waiting = layer.onDisplayed { [studio] _ in studio.note("notified") }
    waiting.cancel()
    waiting.cancel()
    studio.run()
    #expect(studio.log.entries.last == "did a1 shown@10")
  }
}
