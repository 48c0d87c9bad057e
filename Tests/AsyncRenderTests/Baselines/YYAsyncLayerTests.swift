import Testing

@testable import AsyncRender
@testable import AsyncRenderPatterns

/// Reproduces each fault of the original YYAsyncLayer and shows that our layer does not have it.
@Suite struct YYAsyncLayerTests {
  private let studio = Studio(lanes: .queues(count: 1))

  private func original(
    _ queues: YYAsyncLayer.Queues, _ name: String = "a", on runtime: (any Runtime)? = nil
  ) -> YYAsyncLayer {
    YYAsyncLayer(
      size: Size(width: 2, height: 2), queues: queues, runtime: runtime ?? studio.runtime
    ) {
      [studio] in
      YYAsyncLayer.DisplayTask {
        studio.note("will \(name)")
      } display: { canvas, _, isCancelled in
        studio.note("draw \(name)\(canvas == nil ? " on nothing" : "")")
        for _ in 0..<2 where !isCancelled() { studio.runtime.work(for: .ms(5)) }
      } didDisplay: { finished in
        studio.note("did \(name) \(finished ? "shown" : "cancelled")")
      }
    }
  }

  @Test func `it displays once a turn and restarts when it is asked again`() {
    let layer = original(YYAsyncLayer.Queues(on: studio.runtime))
    studio.at(0) { for _ in 1...3 { layer.setNeedsDisplay() } }
    studio.at(3) { layer.setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries == [
        "will a@0", "draw a@0", "will a@3", "draw a@3", "did a cancelled@5", "did a shown@13",
      ])
    #expect(layer.contents != nil)
  }

  @Test func `a request at the end of the turn is displayed and then releases the layer`() {
    let runtime = WatchedRuntime(studio.runtime) { [studio] in
      studio.runtime.wakeMain()
      studio.run()
    }
    weak var left: YYAsyncLayer?
    do {
      let layer = original(YYAsyncLayer.Queues(on: studio.runtime), on: runtime)
      left = layer
      layer.setNeedsDisplay()
      studio.run()
      #expect(studio.log.entries == ["will a@0", "draw a@0", "did a shown@10"])
    }
    #expect(left == nil)
  }

  @Test func `the original sends no notification if it is cancelled while queued`() {
    let queue = studio.runtime.serial("only")
    let layer = original(YYAsyncLayer.Queues([queue]))
    queue.schedule { [studio] in studio.runtime.work(for: .ms(20)) }
    layer.setNeedsDisplay()
    studio.at(3) { layer.setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries == ["will a@0", "will a@3", "draw a@20", "did a shown@30"])
  }

  @Test func `our layer sends a notification if it is cancelled while queued`() {
    let (busy, layer) = (studio.layer("busy"), studio.layer("a"))
    busy.setNeedsDisplay()
    layer.setNeedsDisplay()
    studio.at(3) { layer.setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries.filter { $0.contains("a1") || $0.contains("a2") } == [
        "will a1@0", "did a1 cancelled@3", "will a2@3", "draw a2@10", "drawn a2@20",
        "did a2 shown@20",
      ])
  }

  @Test func `synchronously without a size the original has no context, and ours draws nothing`() {
    let layer = original(YYAsyncLayer.Queues(on: studio.runtime))
    layer.displaysAsynchronously = false
    layer.size = .zero
    layer.setNeedsDisplay()
    studio.run()
    #expect(studio.log.entries == ["will a@0", "draw a on nothing@0", "did a shown@10"])
    let ours = studio.layer("b", size: .zero, asynchronously: false)
    ours.setNeedsDisplay()
    studio.run()
    #expect(Array(studio.log.entries.suffix(2)) == ["will b1@10", "did b1 shown@10"])
  }

  @Test func `the original's queue keeps a released layer and draws it, and ours stops`() {
    let held = Locked(YYAsyncLayer?.some(original(YYAsyncLayer.Queues(on: studio.runtime))))
    held.withLock { $0 }?.setNeedsDisplay()
    studio.at(3) { held.withLock { $0 = nil } }
    studio.run()
    #expect(studio.log.entries == ["will a@0", "draw a@0", "did a shown@10"])
    let ours = Locked(RenderLayer?.some(studio.layer("b")))
    ours.withLock { $0 }?.setNeedsDisplay()
    studio.at(13) { ours.withLock { $0 = nil } }
    studio.run()
    #expect(Array(studio.log.entries.suffix(2)) == ["stop b1@15", "did b1 cancelled, gone@15"])
  }

  @Test func `one turn for all layers: each display takes the next queue`() {
    let queues = YYAsyncLayer.Queues(on: studio.runtime)
    let layers = ["a", "b", "c", "d"].map { original(queues, $0) }
    studio.at(0) { for layer in layers { layer.setNeedsDisplay() } }
    studio.run()
    let begun = studio.log.entries.filter { $0.hasPrefix("draw") }
    #expect(begun.sorted() == ["draw a@0", "draw b@0", "draw c@0", "draw d@0"])
  }
}
