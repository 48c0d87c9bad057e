import Testing

@Suite struct SuspendingTests {
  private let studio = Studio()

  @Test func `a suspended layer keeps its requests and displays once when it resumes`() {
    let layer = studio.layer("a")
    layer.isDisplaySuspended = true
    for time in [1, 2, 3] { studio.at(time) { layer.setNeedsDisplay() } }
    studio.run()
    #expect(studio.log.entries == [] && layer.needsDisplay)
    layer.isDisplaySuspended = false
    studio.run()
    #expect(
      studio.log.entries == ["will a1@3", "draw a1@3", "drawn a1@13", "did a1 shown@13"])
  }

  @Test func `suspending cancels the display in progress, which stays requested`() {
    let layer = studio.layer("a", policy: .finishThenLatest)
    layer.setNeedsDisplay()
    studio.wait(for: layer, "a")
    studio.at(3) { layer.isDisplaySuspended = true }
    studio.at(20) { layer.isDisplaySuspended = false }
    studio.run()
    #expect(
      studio.log.entries == [
        "will a1@0", "draw a1@0", "stop a1@5", "did a1 cancelled@5", "will a2@20", "draw a2@20",
        "drawn a2@30", "did a2 shown@30", "a shows a picture@30",
      ])
  }

  @Test func `resuming alone displays nothing, and a suspended layer can display immediately`() {
    let layer = studio.layer("a")
    layer.isDisplaySuspended = true
    layer.isDisplaySuspended = false
    studio.run()
    #expect(studio.log.entries == [])
    layer.isDisplaySuspended = true
    studio.at(1) { layer.displayImmediately() }
    studio.run()
    #expect(layer.metrics.drawn == 1)
  }
}
