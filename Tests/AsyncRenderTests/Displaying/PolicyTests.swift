import Testing

/// Thirty requests, one every 3 ms, for a drawing that takes 10 ms.
@Suite struct PolicyTests {
  private let studio = Studio()

  private func flood(_ policy: DisplayPolicy) -> (layer: RenderLayer, shown: [Int]) {
    let layer = studio.layer("a", step: .ms(1), steps: 10, policy: policy)
    let shown = Locked<[Int]>([])
    layer.onContentsChange = { [studio] _ in shown.withLock { $0.append(studio.time) } }
    for number in 0..<30 { studio.at(number * 3) { layer.setNeedsDisplay() } }
    studio.run()
    #expect(layer.metrics.isBalanced && layer.metrics.requested == 30)
    #expect(!layer.needsDisplay)
    return (layer, shown.withLock { $0 })
  }

  @Test func `cancelling the latest starves the layer and shows the last request soonest`() {
    let (layer, shown) = flood(.cancelLatest)
    #expect(shown == [97])
    #expect(layer.metrics.displays == 30 && layer.metrics.cancelled == 29)
  }

  @Test func `finishing first shows contents all the time, and the last request latest`() {
    let (layer, shown) = flood(.finishThenLatest)
    #expect(shown == Array(stride(from: 10, through: 100, by: 10)))
    #expect(layer.metrics.cancelled == 0 && layer.metrics.wastedTime == .zero)
  }

  @Test func `at least every third is shown`() {
    let (layer, shown) = flood(.atLeastEvery(3))
    // Every third drawing runs to its end; the next pass starts at that instant.
    #expect(shown.count >= layer.metrics.displays / 3)
    #expect(shown.first == 16)
    #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 - $0 <= 3 + 3 + 10 })
    #expect(layer.metrics.cancelled == layer.metrics.displays - shown.count)
  }

  @Test(arguments: [1, 0, -5, Int.min])
  func `at least every first behaves like finishing first`(_ count: Int) {
    let (layer, shown) = flood(.atLeastEvery(count))
    #expect(shown == Array(stride(from: 10, through: 100, by: 10)))
    #expect(layer.metrics.cancelled == 0)
  }

  @Test func `at least every 9223372036854775807th behaves like cancelling the latest`() {
    #expect(flood(.atLeastEvery(.max)).shown == [97])
  }

  @Test func `an explicit cancellation cancels even a protected drawing`() {
    let layer = studio.layer("a", policy: .finishThenLatest)
    layer.setNeedsDisplay()
    studio.at(3) { layer.cancelDisplay() }
    studio.run()
    #expect(studio.log.entries.last == "did a1 cancelled@5")
    #expect(layer.contents == nil)
  }

  @Test func `a new policy takes effect immediately`() {
    let layer = studio.layer("a", policy: .finishThenLatest)
    layer.setNeedsDisplay()
    studio.at(2) { layer.setNeedsDisplay() }
    studio.at(4) { layer.policy = .cancelLatest }
    studio.run()
    #expect(
      studio.log.entries == [
        "will a1@0", "draw a1@0", "will a2@4", "draw a2@4", "stop a1@5", "did a1 cancelled@5",
        "drawn a2@14", "did a2 shown@14",
      ])
  }
}
