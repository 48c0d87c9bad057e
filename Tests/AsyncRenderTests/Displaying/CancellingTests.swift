import Testing

@Suite struct CancellingTests {
  private let studio = Studio()

  @Test
  func `a new request stops the drawing at its next check, and the new contents are shown`() {
    let layer = studio.layer("a")
    layer.setNeedsDisplay()
    studio.at(3) { layer.setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries == [
        "will a1@0", "draw a1@0", "will a2@3", "draw a2@3", "stop a1@5", "did a1 cancelled@5",
        "drawn a2@13", "did a2 shown@13",
      ])
    #expect(layer.metrics.cancelledWhileDrawing == 1 && layer.metrics.isBalanced)
    #expect(layer.metrics.wastedTime == .ms(5))
    #expect(layer.metrics.drawingTime == .ms(15) && layer.metrics.longestDrawing == .ms(10))
  }

  @Test func `a display that is cancelled while queued ends immediately and is never drawn`() {
    let studio = Studio(lanes: .queues(count: 1))
    let (busy, layer) = (studio.layer("busy", step: .ms(50)), studio.layer("a"))
    busy.setNeedsDisplay()
    layer.setNeedsDisplay()
    studio.at(3) { layer.cancelDisplay() }
    studio.run()
    #expect(
      studio.log.entries == [
        "will busy1@0", "will a1@0", "draw busy1@0", "did a1 cancelled@3", "drawn busy1@100",
        "did busy1 shown@100",
      ])
    #expect(layer.metrics.cancelledBeforeDrawing == 1 && layer.metrics.isBalanced)
  }

  @Test func `a display that is cancelled after drawing and before presentation is not shown`() {
    let layer = studio.layer("a")
    layer.setNeedsDisplay()
    studio.at(5) { [studio] in studio.runtime.work(for: .ms(20)) }
    studio.runtime.pool.schedule(after: .ms(15)) { layer.cancelDisplay() }
    studio.run()
    #expect(layer.contents == nil)
    #expect(Array(studio.log.entries.suffix(2)) == ["drawn a1@10", "did a1 cancelled@25"])
    #expect(layer.metrics.cancelledAfterDrawing == 1 && layer.metrics.isBalanced)
    #expect(layer.metrics.wastedTime == .ms(10))
  }

  @Test func `old contents stay until new contents arrive, and after a cancellation`() {
    let layer = studio.layer("a")
    layer.setNeedsDisplay()
    studio.run()
    let old = layer.contents
    let changes = Locked(0)
    layer.onContentsChange = { _ in changes.withLock { $0 += 1 } }
    layer.setNeedsDisplay()
    studio.run(until: 15)
    #expect(layer.contents === old)
    layer.cancelDisplay()
    studio.run()
    #expect(layer.contents === old)
    #expect(changes.withLock { $0 } == 0)
    layer.setNeedsDisplay()
    studio.run()
    #expect(layer.contents != nil && layer.contents !== old)
    #expect(changes.withLock { $0 } == 1)
  }

  @Test func `an older drawing that finishes later is not shown`() {
    let (count, shown) = (Locked(0), Log())
    let layer = RenderLayer(size: Size(width: 9, height: 1), renderer: studio.renderer) {
      [studio] layer in
      let number = count.withLock { count in
        count += 1
        return count
      }
      // The first drawing takes longer than the second and does not check for cancellation.
      return DisplayTask { _, _, _ in
        studio.runtime.work(for: .ms(number == 1 ? 50 : 5))
      } didDisplay: { _, finished in
        shown.append("\(number) \(finished)@\(studio.time)")
      }
    }
    layer.setNeedsDisplay()
    studio.at(3) { layer.setNeedsDisplay() }
    studio.run()
    #expect(shown.entries == ["2 true@8", "1 false@50"])
    #expect(layer.metrics.wastedTime == .ms(50))
  }

  @Test
  func `a request from willDisplay does not cancel its own display and comes in the next turn`() {
    let count = Locked(0)
    let layer = RenderLayer(
      size: Size(width: 1, height: 1), policy: .finishThenLatest, renderer: studio.renderer
    ) { [studio] _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      var task = studio.task("a\(number)")
      task.willDisplay = { layer in
        if number == 1 { layer.setNeedsDisplay() }
      }
      return task
    }
    layer.setNeedsDisplay()
    studio.run()
    #expect(
      studio.log.entries == [
        "draw a1@0", "drawn a1@10", "did a1 shown@10", "draw a2@10", "drawn a2@20",
        "did a2 shown@20",
      ])
  }

  /// The display may have read the changed properties already, with their old values.
  @Test func `a request from another lane cancels a display that is being prepared`() {
    let displays = Locked(0)
    let layer = RenderLayer(size: Size(width: 1, height: 1), renderer: studio.renderer) {
      [studio] layer in
      var task = studio.task("a")
      task.willDisplay = { layer in
        displays.withLock { $0 += 1 }
        guard displays.withLock({ $0 == 1 }) else { return }
        studio.runtime.pool.schedule { layer.setNeedsDisplay() }
        studio.runtime.work(for: .ms(1))
      }
      return task
    }
    layer.setNeedsDisplay()
    studio.run()
    #expect(
      studio.log.entries == [
        "did a cancelled@1", "draw a@1", "drawn a@11", "did a shown@11",
      ])
    #expect(layer.metrics.cancelledBeforeDrawing == 1 && layer.metrics.isBalanced)
  }

  @Test func `a display that is cancelled in willDisplay is not drawn, and its end is reported`() {
    let layer = RenderLayer(size: Size(width: 1, height: 1), renderer: studio.renderer) {
      [studio] _ in
      var task = studio.task("a")
      task.willDisplay = { layer in layer.cancelDisplay() }
      return task
    }
    layer.setNeedsDisplay()
    studio.run()
    #expect(studio.log.entries == ["did a cancelled@0"])
    #expect(layer.metrics.isBalanced)
  }

  @Test func `a cancellation handler is called immediately, and afterwards polling agrees with it`()
  {
    let studio = studio
    let layer = RenderLayer(size: Size(width: 1, height: 1), renderer: studio.renderer) { _ in
      DisplayTask { _, _, isCancelled in
        isCancelled.onCancel { studio.note("notified \(isCancelled())") }
        studio.runtime.work(for: .ms(20))
        studio.note("polled \(isCancelled())")
        isCancelled.onCancel { studio.note("late") }
      }
    }
    layer.setNeedsDisplay()
    studio.at(7) { layer.setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries == [
        "notified true@7", "polled true@20", "late@20", "polled false@27",
      ])
  }

  @Test func `a cancellation handler is not called after the drawing has ended`() {
    let studio = studio
    let layer = RenderLayer(size: Size(width: 1, height: 1), renderer: studio.renderer) { _ in
      DisplayTask { _, _, isCancelled in isCancelled.onCancel { studio.note("notified") } }
    }
    layer.setNeedsDisplay()
    studio.run()
    layer.setNeedsDisplay()
    layer.cancelDisplay()
    studio.run()
    #expect(studio.log.entries == [])
    #expect(layer.contents != nil)
  }
}
