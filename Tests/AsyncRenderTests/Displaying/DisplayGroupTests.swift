import Testing

@Suite struct DisplayGroupTests {
  private let studio = Studio()

  /// Layers whose drawings take 10, 20 … ms.
  private func layers(_ count: Int) -> [RenderLayer] {
    (1...count).map { studio.layer("abcdef".map(String.init)[$0 - 1], step: .ms(5 * $0)) }
  }

  @Test func `what was drawn in a pass is set in one turn, when all of it is there`() {
    let layers = layers(3)
    let group = DisplayGroup(layers)
    for layer in layers {
      layer.onContentsChange = { [studio] _ in
        studio.note("\(layers.count { $0.contents != nil }) shown")
      }
      layer.setNeedsDisplay()
    }
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("3") || $0.hasPrefix("did") } == [
        "3 shown@30", "3 shown@30", "3 shown@30", "did a1 shown@30", "did b1 shown@30",
        "did c1 shown@30",
      ])
    withExtendedLifetime(group) {}
    // They hold each other by it.
    for layer in layers { layer.onContentsChange = nil }
  }

  @Test func `one that is cancelled, or gone, is not waited for`() {
    let layers = Locked(layers(3))
    _ = DisplayGroup(layers.withLock { $0 })
    for layer in layers.withLock({ $0 }) { layer.setNeedsDisplay() }
    studio.at(1) { layers.withLock { $0[1] }.cancelDisplay() }
    studio.at(2) { layers.withLock { $0 = Array($0.dropLast()) } }
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("did") } == [
        "did b1 cancelled@10", "did a1 shown@15", "did c1 cancelled, gone@15",
      ])
  }

  @Test func `one that is asked for anew while the others are waited for follows its policy`() {
    let layers = layers(2)
    _ = DisplayGroup(layers)
    for layer in layers { layer.setNeedsDisplay() }
    // The first has been drawn, and is held back.
    studio.at(12) { layers[0].setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("did") } == [
        "did a1 cancelled@20", "did b1 shown@20", "did a2 shown@22",
      ])
    #expect(layers[0].figures.cancelledAfterDrawing == 1)
  }

  @Test func `of two groups each is shown when it is done, and so is who has none`() {
    let layers = layers(4)
    _ = DisplayGroup([layers[0], layers[1]])
    layers[3].group = DisplayGroup()
    for layer in layers { layer.setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("did") } == [
        "did a1 shown@20", "did b1 shown@20", "did c1 shown@30", "did d1 shown@40",
      ])
  }

  @Test func `who leaves is shown alone`() {
    let layers = layers(2)
    let group = DisplayGroup(layers)
    #expect(layers[0].group === group)
    layers[0].group = nil
    for layer in layers { layer.setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("did") } == ["did a1 shown@10", "did b1 shown@20"])
  }
}
