import Testing

@testable import AsyncRender

/// Cleared contents, displays in progress, and invalid properties.
@Suite struct ClearingTests {
  private let studio = Studio()

  @Test func `clearing on main shows nothing immediately and cancels the display in progress`() {
    let layer = studio.layer("a")
    layer.setNeedsDisplay()
    studio.run()
    layer.onContentsChange = { [studio] in studio.note("shows \($0 == nil ? "nothing" : "it")") }
    layer.setNeedsDisplay()
    studio.wait(for: layer, "a")
    studio.at(13) { [studio] in
      layer.clearContents()
      studio.note("cleared \(layer.contents == nil)")
      layer.clearContents()
    }
    studio.run()
    #expect(
      Array(studio.log.entries.suffix(5)) == [
        "shows nothing@13", "cleared true@13", "a was cancelled@13", "stop a2@15",
        "did a2 cancelled@15",
      ])
    #expect(layer.metrics.isBalanced)
  }

  @Test func `a request after clearing from another lane is shown`() {
    for seed in 0..<200 {
      let studio = Studio(seed: UInt64(seed))
      for asynchronously in [true, false] {
        let layer = studio.layer("a", step: .zero, asynchronously: asynchronously)
        layer.setNeedsDisplay()
        studio.run()
        let old = layer.contents
        studio.runtime.main.schedule { layer.displayImmediately() }
        studio.runtime.pool.schedule {
          layer.clearContents()
          layer.setNeedsDisplay()
        }
        studio.run()
        #expect(layer.contents != nil && layer.contents !== old, "seed \(seed)")
      }
    }
  }

  @Test func `clearing from another lane takes effect as soon as main runs`() {
    let layer = studio.layer("a")
    layer.setNeedsDisplay()
    studio.run()
    studio.runtime.pool.schedule { layer.clearContents() }
    studio.run()
    #expect(layer.contents == nil && layer.metrics.cleared == 0)
  }

  @Test func `it says whether a display is in progress`() {
    let layer = studio.layer("a")
    var seen: [Bool] = [layer.isDisplaying]
    layer.setNeedsDisplay()
    seen.append(layer.isDisplaying)
    studio.run(until: 3)
    seen.append(layer.isDisplaying)
    layer.cancelDisplay()
    seen.append(layer.isDisplaying)
    layer.setNeedsDisplay()
    studio.run(until: 4)
    seen.append(layer.isDisplaying)
    studio.run()
    seen.append(layer.isDisplaying)
    #expect(seen == [false, false, true, false, true, false])
  }

  @Test func `an opacity out of range counts as the nearest valid one, and NaN as zero`() {
    let layer = studio.layer("a")
    var read: [Double] = []
    for opacity in [0.25, -1, 7, .infinity, -.infinity] {
      layer.opacity = opacity
      read.append(layer.opacity)
    }
    layer.opacity = 0.5
    layer.opacity = .nan
    #expect(read == [0.25, 0, 1, 1, 0] && layer.opacity == 0.5)
    let other = RenderLayer(
      size: .zero, opacity: .nan, renderer: studio.renderer, task: { _ in .init(display: nil) })
    #expect(other.opacity == 1)
  }

  // MARK: Releasing captures

  private final class Captured: Sendable {}

  static let lanes: [Renderer.Lanes] = [.queues(count: 1), .workers(count: 1)]

  @Test(arguments: lanes)
  func `a drawing that is cancelled while queued releases the captures of its task`(
    _ lanes: Renderer.Lanes
  ) {
    let studio = Studio(lanes: lanes)
    let busy = studio.layer("busy", step: .ms(50))
    weak var captured: Captured?
    let layer: RenderLayer
    do {
      let held = Locked<Captured?>(Captured())
      captured = held.withLock { $0 }
      layer = RenderLayer(size: Size(width: 1, height: 1), renderer: studio.renderer) { _ in
        let mine = held.withLock { held in
          defer { held = nil }
          return held
        }
        return DisplayTask(
          display: { _, _, _ in withExtendedLifetime(mine) {} },
          willDisplay: { _ in withExtendedLifetime(mine) {} },
          didDisplay: { _, _ in withExtendedLifetime(mine) {} })
      }
    }
    busy.setNeedsDisplay()
    layer.setNeedsDisplay()
    studio.run(until: 3)
    #expect(captured != nil)
    layer.cancelDisplay()
    studio.run(until: 4)
    #expect(captured == nil)
    studio.run()
    #expect(busy.metrics.drawn == 1)
  }
}
