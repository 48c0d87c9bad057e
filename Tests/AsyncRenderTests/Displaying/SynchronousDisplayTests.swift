import Testing

/// Displays on the main lane: those of layers that are drawn synchronously, and those that come immediately.
@Suite struct SynchronousDisplayTests {
  private let studio = Studio()

  @Test func `synchronously it is shown before the turn is over, and drawn on main`() {
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

  @Test func `immediately: shown when it returns, and what is under way is called off`() {
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
    #expect(layer.figures.cancelledWhileDrawing == 1 && layer.figures.drawn == 1)
  }

  @Test func `immediately, from elsewhere: as soon as main comes to it`() {
    let layer = studio.layer("a")
    studio.runtime.pool.schedule(after: .ms(2)) { layer.displayImmediately() }
    studio.run()
    #expect(
      studio.log.entries == ["will a1@2", "draw a1@2", "drawn a1@12", "did a1 shown@12"])
  }

  @Test func `the synchronous way is never cancelled`() {
    let told = Log()
    let layer = RenderLayer(
      size: Size(width: 1, height: 1), displaysAsynchronously: false, renderer: studio.renderer
    ) { [studio] layer in
      DisplayTask { _, _, isCancelled in
        isCancelled.onCancel { told.append("told") }
        studio.runtime.work(for: .ms(4))
        if isCancelled() { told.append("polled") }
      } didDisplay: { _, finished in
        told.append("did \(finished)")
      }
    }
    layer.setNeedsDisplay()
    studio.runtime.pool.schedule(after: .ms(2)) { layer.cancelDisplay() }
    studio.run()
    #expect(told.entries == ["did true"])
    #expect(layer.contents != nil)
  }

  @Test func `immediately inside its own display: in the next turn, not for ever`() {
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
    #expect(layer.figures.displays == 3 && layer.figures.isBalanced)
    #expect(layer.contents != nil)
  }

  @Test func `if needed: now, and only if it is needed`() {
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
