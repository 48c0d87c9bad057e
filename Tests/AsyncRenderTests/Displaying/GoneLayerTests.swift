import Testing

@testable import AsyncRender

/// Layers that are released before, while and after they are drawn.
@Suite struct GoneLayerTests {
  private let studio = Studio()

  @Test func `releasing a layer cancels its drawing, and the end is reported without the layer`() {
    let gone = Locked(RenderLayer?.some(studio.layer("a")))
    gone.withLock { $0 }?.setNeedsDisplay()
    studio.at(3) { gone.withLock { $0 = nil } }
    studio.run()
    #expect(
      studio.log.entries == [
        "will a1@0", "draw a1@0", "stop a1@5", "did a1 cancelled, gone@5",
      ])
    #expect(studio.renderer.metrics.cancelledWhileDrawing == 1)
    #expect(studio.renderer.metrics.isBalanced)
  }

  @Test func `a layer that is released while its drawing is queued`() {
    let studio = Studio(lanes: .queues(count: 1))
    let busy = studio.layer("busy", step: .ms(50))
    let gone = Locked(RenderLayer?.some(studio.layer("a")))
    busy.setNeedsDisplay()
    gone.withLock { $0 }?.setNeedsDisplay()
    studio.at(3) { gone.withLock { $0 = nil } }
    studio.run(until: 4)
    #expect(
      studio.log.entries == [
        "will busy1@0", "will a1@0", "draw busy1@0", "did a1 cancelled, gone@3",
      ])
    studio.run()
  }

  @Test func `a layer that is released before its pass is not displayed`() throws {
    do { studio.layer("a").setNeedsDisplay() }
    studio.run()
    #expect(studio.log.entries == [])
    try studio.runtime.finish()
  }

  @Test func `the drawing holds neither the layer nor its contents`() {
    weak var layer: RenderLayer?
    weak var storage: RenderLayerStorage?
    weak var contents: Picture?
    do {
      let held = studio.layer("a")
      (layer, storage) = (held, held.storage)
      held.setNeedsDisplay()
      studio.run()
      contents = held.contents
      #expect(contents != nil)
      held.setNeedsDisplay()
      studio.run(until: 12)
    }
    #expect(layer == nil)
    studio.run()
    #expect(contents == nil)
    #expect(storage == nil)
  }

  @Test
  func `a cancellation handler runs on the pool, not on the thread that releases the layer`() {
    let studio = studio
    let gone = Locked(
      RenderLayer?.some(
        RenderLayer(size: Size(width: 1, height: 1), renderer: studio.renderer) { _ in
          DisplayTask { _, _, isCancelled in
            isCancelled.onCancel {
              studio.note("notified on main: \(LaneContext.current.lane == .main)")
            }
            studio.runtime.work(for: .ms(10))
          }
        }))
    gone.withLock { $0 }?.setNeedsDisplay()
    studio.at(3) { gone.withLock { $0 = nil } }
    studio.run()
    #expect(studio.log.entries == ["notified on main: false@3"])
  }
}
