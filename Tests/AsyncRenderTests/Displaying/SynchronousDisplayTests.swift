import Testing

/// Displays on the main lane: layers that are drawn synchronously, and immediate displays.
@Suite struct SynchronousDisplayTests {
  private let studio = Studio()

  @Test func `a synchronous display is drawn on main and shown before the turn ends`() {
    let layer = studio.layer("a", asynchronously: false)
    studio.at(0) { layer.setNeedsDisplay() }
    studio.at(0) { [studio] in studio.note("next job") }
    studio.at(1) { [studio] in studio.note("later") }
    studio.run()
    #expect(
      studio.log.entries == [
        "next job@0", "will a1@0", "draw a1@0", "drawn a1@10", "did a1 shown@10", "later@10",
      ])
  }

  @Test func `an immediate display is shown on return and cancels the display in progress`() {
    let layer = studio.layer("a")
    layer.setNeedsDisplay()
    studio.at(3) { [studio] in
      layer.displayImmediately()
      studio.note("returned \(layer.contents != nil)")
    }
    studio.run()
    #expect(
      studio.log.entries == [
        "will a1@0", "draw a1@0", "will a2@3", "draw a2@3", "stop a1@5", "drawn a2@13",
        "did a2 shown@13", "returned true@13", "did a1 cancelled@13",
      ])
    #expect(layer.metrics.cancelledWhileDrawing == 1 && layer.metrics.drawn == 1)
  }

  @Test func `an immediate display from another lane happens as soon as main runs`() {
    let layer = studio.layer("a")
    studio.runtime.pool.schedule(after: .ms(2)) { layer.displayImmediately() }
    studio.run()
    #expect(
      studio.log.entries == ["will a1@2", "draw a1@2", "drawn a1@12", "did a1 shown@12"])
  }

  @Test func `a synchronous display is never cancelled`() {
    let notified = Log()
    let layer = RenderLayer(
      size: Size(width: 1, height: 1), displaysAsynchronously: false, renderer: studio.renderer
    ) { [studio] layer in
      DisplayTask { _, _, isCancelled in
        isCancelled.onCancel { notified.append("notified") }
        studio.runtime.work(for: .ms(4))
        if isCancelled() { notified.append("polled") }
      } didDisplay: { _, finished in
        notified.append("did \(finished)")
      }
    }
    layer.setNeedsDisplay()
    studio.runtime.pool.schedule(after: .ms(2)) { layer.cancelDisplay() }
    studio.run()
    #expect(notified.entries == ["did true"])
    #expect(layer.contents != nil)
  }

  @Test func `an immediate display inside its own display happens in the next turn, not forever`() {
    let left = Locked(3)
    let layer = RenderLayer(size: Size(width: 1, height: 1), renderer: studio.renderer) {
      [studio] _ in
      var task = studio.task("a", .zero, 0)
      task.willDisplay = { layer in
        studio.note("will a")
        let isMore = left.withLock { left in
          left -= 1
          return left > 0
        }
        if isMore { layer.displayImmediately() }
      }
      return task
    }
    studio.at(0) { layer.displayImmediately() }
    studio.run()
    #expect(layer.metrics.displays == 3 && layer.metrics.isBalanced)
    #expect(layer.contents != nil)
  }

  @Test func `displayIfNeeded displays now, and only if needed`() {
    let layer = studio.layer("a")
    studio.at(0) { [studio] in
      layer.displayIfNeeded()
      studio.note("nothing")
      layer.setNeedsDisplay()
      layer.displayIfNeeded()
      studio.note("begun")
    }
    studio.run()
    #expect(
      studio.log.entries == [
        "nothing@0", "will a1@0", "begun@0", "draw a1@0", "drawn a1@10", "did a1 shown@10",
      ])
  }
}
