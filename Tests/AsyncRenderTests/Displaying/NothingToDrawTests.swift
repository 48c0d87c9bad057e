import Testing

/// Displays without a display block, and displays whose size has no pixels or too many.
@Suite struct NothingToDrawTests {
  private let studio = Studio()

  @Test(arguments: [true, false])
  func `without a display block the contents are nil`(asynchronously: Bool) {
    let draws = Locked(true)
    let layer = RenderLayer(
      size: Size(width: 2, height: 2), displaysAsynchronously: asynchronously,
      renderer: studio.renderer
    ) { [studio] _ in
      var task = studio.task("a")
      if !draws.withLock({ $0 }) { task.display = nil }
      return task
    }
    layer.setNeedsDisplay()
    studio.run()
    #expect(layer.contents != nil)
    draws.withLock { $0 = false }
    layer.setNeedsDisplay()
    studio.run()
    #expect(layer.contents == nil)
    #expect(Array(studio.log.entries.suffix(2)) == ["will a@10", "did a shown@10"])
    #expect(layer.metrics.cleared == 1)
  }

  static let emptySizes = [
    Size(width: 0, height: 5), Size(width: 5, height: 0.99), Size(width: -3, height: 5),
    Size(width: .nan, height: 5), Size.zero,
  ]

  @Test(arguments: [true, false], emptySizes)
  func
    `less than a unit in either direction: will, no contents, did; the old picture goes elsewhere`(
      asynchronously: Bool, size: Size
    )
  {
    let layer = studio.layer("a", asynchronously: asynchronously)
    layer.setNeedsDisplay()
    studio.run()
    weak let old = layer.contents
    #expect(old != nil)
    layer.size = size
    let wasThere = Locked(false)
    layer.onContentsChange = { [weak old] picture in
      #expect(picture == nil)
      wasThere.withLock { $0 = old != nil }
    }
    layer.setNeedsDisplay()
    studio.run()
    #expect(layer.contents == nil)
    // The main lane had finished with the layer, and the contents still existed.
    #expect(wasThere.withLock { $0 })
    #expect(old == nil)
    #expect(Array(studio.log.entries.suffix(2)) == ["will a2@10", "did a2 shown@10"])
  }

  @Test(arguments: [true, false])
  func `a size that is much too big fails, is reported and keeps old contents`(asynchronously: Bool)
  {
    let layer = studio.layer("a", asynchronously: asynchronously)
    layer.setNeedsDisplay()
    studio.run()
    let old = layer.contents
    for size in [Size(width: 1e300, height: 2), Size(width: 2, height: .infinity)] {
      layer.size = size
      layer.setNeedsDisplay()
      studio.wait(for: layer, "a")
      studio.run()
      #expect(Array(studio.log.entries.suffix(2).map { $0.dropLast(3) }).last == "a failed")
    }
    #expect(layer.contents === old)
    #expect(layer.metrics.failed == 2 && layer.metrics.isBalanced)
  }
}
