import Testing

@Suite(.timeLimit(.minutes(1))) struct ContentsUpdateTests {
  private let studio = Studio()

  /// The next element in words.
  private func next(_ updates: inout AsyncStream<Picture?>.Iterator) async -> String {
    switch await updates.next() {
    case .some(let picture?): "\(picture.width) wide"
    case .some(nil): "nothing"
    case nil: "the end"
    }
  }

  @Test func `the contents are delivered now and after each change`() async {
    let layer = studio.layer("a")
    var updates = layer.contentsUpdates.makeAsyncIterator()
    var words: [String] = []
    words.append(await next(&updates))
    layer.setNeedsDisplay()
    studio.run()
    words.append(await next(&updates))
    var late = layer.contentsUpdates.makeAsyncIterator()
    words.append(await next(&late))
    layer.clearContents()
    studio.run()
    words.append(await next(&updates))
    words.append(await next(&late))
    #expect(words == ["nothing", "4 wide", "4 wide", "nothing", "nothing"])
  }

  @Test func `a slow consumer gets only the latest contents`() async {
    let layer = studio.layer("a")
    var updates = layer.contentsUpdates.makeAsyncIterator()
    var words: [String] = []
    for width in [5.0, 6, 7] {
      layer.size = Size(width: width, height: 4)
      layer.setNeedsDisplay()
      studio.run()
    }
    words.append(await next(&updates))
    #expect(words == ["7 wide"])
  }

  @Test func `a cancelled display is not delivered`() async {
    let layer = studio.layer("a")
    var updates = layer.contentsUpdates.makeAsyncIterator()
    var words: [String] = []
    words.append(await next(&updates))
    layer.setNeedsDisplay()
    studio.run(until: 2)
    layer.cancelDisplay()
    studio.run()
    layer.size = Size(width: 7, height: 4)
    layer.setNeedsDisplay()
    studio.run()
    words.append(await next(&updates))
    #expect(words == ["nothing", "7 wide"])
  }

  @Test func `releasing the layer ends the sequence`() async throws {
    var layer: RenderLayer? = studio.layer("a")
    let updates = try #require(layer?.contentsUpdates)
    layer?.setNeedsDisplay()
    studio.run()
    layer = nil
    studio.run()
    var widths: [Int?] = []
    for await picture in updates { widths.append(picture?.width) }
    #expect(widths == [4])
  }
}
