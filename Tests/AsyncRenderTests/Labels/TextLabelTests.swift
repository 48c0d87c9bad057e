import Testing

@testable import AsyncRender

@Suite struct TextLabelTests {
  private let studio = Studio()
  private let font: Font
  /// Ten lines, whatever the width.
  private let text = (1...10).map { "line \($0)" }.joined(separator: "\n")

  init() throws { font = try Font("Sans 10px") }

  private func label(
    _ text: String, lineCost: Duration = .zero, endOfTurn: TextLabel.EndOfTurn? = nil
  ) -> TextLabel {
    TextLabel(
      text, font: font, size: Size(width: 200, height: 200), renderer: studio.renderer,
      lineCost: lineCost, endOfTurn: endOfTurn)
  }

  private func drawn(_ layout: TextLayout, color: Color = .black) throws -> Picture {
    var layout = layout
    layout.width = 200
    let canvas = try Canvas(size: Size(width: 200, height: 200))
    canvas.draw(layout, at: .zero, color: color)
    return try canvas.finish()
  }

  @Test func `it draws its text as a canvas does, without a request`() throws {
    let label = label(text)
    studio.run()
    let contents = try #require(label.layer.contents)
    #expect(try drawn(TextLayout(text, font: font)) == contents)
    #expect(try drawn(TextLayout("", font: font)) != contents)
  }

  @Test func `many changed properties in one turn give one drawing with the last values`()
    throws
  {
    let label = label("first")
    studio.run()
    let large = try Font("Serif 20px")
    studio.at(1) { [text] in
      for number in 1...50 { label.text = "\(number)" }
      label.text = text
      label.font = large
      label.color = .white
    }
    studio.run()
    #expect(label.layer.metrics.displays == 2 && label.layer.metrics.drawn == 2)
    let contents = try #require(label.layer.contents)
    #expect(try drawn(TextLayout(text, font: large), color: .white) == contents)
    #expect(label.text == text && label.font == large && label.color == .white)
  }

  @Test func `another size changes the line breaks`() throws {
    let label = label("one two three four five six seven eight nine ten")
    studio.run()
    let wide = try #require(label.layer.contents)
    label.size = Size(width: 40, height: 200)
    studio.run()
    #expect(label.layer.contents != wide && label.layer.contents?.width == 40)
  }

  @Test func `a higher scale gives the letters more pixels, initially and after a change`()
    throws
  {
    let sharp = try Canvas(size: Size(width: 200, height: 200), scale: 2)
    sharp.draw(TextLayout(text, font: font, width: 200), at: .zero, color: .black)
    let picture = try sharp.finish()
    let label = label(text)
    studio.run()
    #expect(label.scale == 1)
    label.scale = 2
    studio.run()
    #expect(label.layer.contents == picture && label.layer.metrics.displays == 2)
    let other = TextLabel(
      text, font: font, size: Size(width: 200, height: 200), scale: 2, renderer: studio.renderer)
    studio.run()
    #expect(other.layer.contents == picture && other.scale == 2)
  }

  @Test func `drawing a line takes its time on the virtual clock`() {
    let label = label(text, lineCost: .ms(2))
    studio.run()
    #expect(studio.time == 20)
    #expect(label.layer.metrics.longestDrawing == .ms(20))
  }

  @Test(arguments: [1, 5, 9, 13]) func `a cancelled label stops within one line`(_ time: Int) {
    let label = label(text, lineCost: .ms(2))
    studio.at(time) { label.layer.cancelDisplay() }
    studio.run()
    // The drawing was in the middle of a line.
    #expect(label.layer.metrics.wastedTime == .ms(time + 1))
    #expect(label.layer.metrics.cancelledWhileDrawing == 1)
  }

  @Test func `a change stops the drawing of the old contents`() throws {
    let label = label(text, lineCost: .ms(2))
    studio.at(5) { label.text = "other" }
    studio.run()
    #expect(studio.time == 7)
    #expect(label.layer.metrics.wastedTime == .ms(6))
    let contents = try #require(label.layer.contents)
    #expect(try drawn(TextLayout("other", font: font)) == contents)
  }

  @Test func `a custom transaction decides when to display`() throws {
    let transactions = Transactions(studio.runtime)
    let label = label("first") { label, update in transactions.commit(label, update) }
    studio.run()
    #expect(transactions.flushed == 1 && label.layer.metrics.requested == 1)
    studio.at(1) {
      label.text = "second"
      label.color = .white
      label.text = "third"
      #expect(!label.layer.needsDisplay)
    }
    studio.run()
    #expect(transactions.committed == 4 && transactions.flushed == 2)
    #expect(label.layer.metrics.requested == 2 && label.layer.metrics.drawn == 2)
    let contents = try #require(label.layer.contents)
    #expect(try drawn(TextLayout("third", font: font), color: .white) == contents)
  }

  @Test func `the background behind the letters is drawn first and can change`() throws {
    let label = TextLabel(
      TextLayout(text, font: font), background: .white, size: Size(width: 200, height: 200),
      renderer: studio.renderer)
    studio.run()
    for background in [Color.white, try Color("steelblue")] {
      label.background = background
      studio.run()
      let canvas = try Canvas(size: Size(width: 200, height: 200))
      canvas.fill(
        Path(Rect(origin: .zero, size: canvas.size)), with: .color(background))
      canvas.draw(TextLayout(text, font: font, width: 200), at: .zero, color: .black)
      let contents = try #require(label.layer.contents)
      #expect(try canvas.finish() == contents)
    }
  }

  @Test(arguments: [true, false])
  func `the caller's display blocks run before and after the label`(asynchronously: Bool) throws {
    let log = studio.log
    let label = TextLabel(
      TextLayout(text, font: font), size: Size(width: 200, height: 200),
      displaysAsynchronously: asynchronously, policy: .finishThenLatest,
      renderer: studio.renderer, lineCost: .ms(1),
      display: { drawing in
        var task = drawing
        task.willDisplay = { _ in log.append("will") }
        task.didDisplay = { _, isFinished in log.append("did \(isFinished)") }
        return task
      })
    studio.at(3) { label.text = "second" }
    studio.run()
    #expect(log.entries == ["will", "did true", "will", "did true"])
    let contents = try #require(label.layer.contents)
    #expect(try drawn(TextLayout("second", font: font)) == contents)
  }

  @Test func `a label that is released before its transaction is not displayed`() {
    let updates = Locked<[@Sendable () -> Void]>([])
    do {
      _ = label("first") { _, update in updates.withLock { $0.append(update) } }
    }
    studio.at(0) { for update in updates.withLock({ $0 }) { update() } }
    studio.run()
    #expect(studio.renderer.metrics == DisplayMetrics())
  }
}

/// A minimal transaction system: one update for each target, at the end of the turn.
private final class Transactions: Sendable {
  private struct State {
    var updates: [(target: ObjectIdentifier, update: @Sendable () -> Void)] = []
    var registration: (any Cancellable)?
    var committed = 0
    var flushed = 0
  }

  private let runtime: SimulatedRuntime
  private let state = Locked(State())

  init(_ runtime: SimulatedRuntime) { self.runtime = runtime }

  var committed: Int { state.withLock { $0.committed } }
  var flushed: Int { state.withLock { $0.flushed } }

  func commit(_ target: TextLabel, _ update: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.committed += 1
      let key = ObjectIdentifier(target)
      if !state.updates.contains(where: { $0.target == key }) {
        state.updates.append((key, update))
      }
      return state.registration == nil
    }
    guard isFirst else { return }
    let registration = runtime.atEndOfTurn(order: 0xFF_FFFF) { [self] in flush() }
    state.withLock { $0.registration = registration }
    runtime.wakeMain()
  }

  private func flush() {
    let (updates, registration) = state.withLock { state in
      defer { (state.updates, state.registration) = ([], nil) }
      state.flushed += state.updates.count
      return (state.updates, state.registration)
    }
    registration?.cancel()
    for (_, update) in updates { update() }
  }
}
