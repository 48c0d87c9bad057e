import Testing

@Suite struct DisplayGroupTests {
  private let studio = Studio()

  /// Layers whose drawings take 10, 20 … ms.
  private func layers(_ count: Int) -> [RenderLayer] {
    (1...count).map { studio.layer("abcdef".map(String.init)[$0 - 1], step: .ms(5 * $0)) }
  }

  @Test func `the drawings of a pass are shown in one turn, when all are ready`() {
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
    // The handlers form reference cycles.
    for layer in layers { layer.onContentsChange = nil }
  }

  @Test func `the group does not wait for a layer that is cancelled or released`() {
    let layers = Locked(layers(3))
    _ = DisplayGroup(layers.withLock { $0 })
    for layer in layers.withLock({ $0 }) { layer.setNeedsDisplay() }
    studio.at(1) { layers.withLock { $0[1] }.cancelDisplay() }
    studio.at(2) { layers.withLock { $0 = Array($0.dropLast()) } }
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("did") } == [
        "did b1 cancelled@10", "did a1 shown@10", "did c1 cancelled, gone@15",
      ])
  }

  @Test func `a new request while the group waits follows the policy of its layer`() {
    let layers = layers(2)
    _ = DisplayGroup(layers)
    for layer in layers { layer.setNeedsDisplay() }
    // The first layer has been drawn and waits for the group.
    studio.at(12) { layers[0].setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries.filter { $0.hasPrefix("did") } == [
        "did a1 cancelled@20", "did b1 shown@20", "did a2 shown@22",
      ])
    #expect(layers[0].metrics.cancelledAfterDrawing == 1)
  }

  @Test func `each of two groups is shown when it is ready, and so is a layer without a group`() {
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

  @Test func `a layer that leaves its group is shown alone`() {
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
