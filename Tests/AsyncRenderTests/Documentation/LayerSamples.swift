import AsyncRender
import AsyncSimulation
import Testing

/// The page's layers and labels, as it shows them.
@Suite struct LayerSamples {
  private struct Song: Sendable { let title: String }

  /// A spinner that turns while displays are in progress.
  private final class Spinner: Sendable {
    let log = Log()
    private let count = Locked(0)

    var underWay: Int {
      get { count.withLock { $0 } }
      set {
        count.withLock { $0 = newValue }
        log.append(newValue > 0 ? "turns" : "stops")
      }
    }
  }

  private let studio = Studio()
  private let song = Song(title: "Title")
  private let spinner = Spinner()
  private let font: Font
  private var renderer: Renderer { studio.renderer }

  init() throws { font = try Font("Sans 14") }

  @Test func `a layer, and a policy`() {
    let (song, spinner, font) = (song, spinner, font)
    let label = RenderLayer(size: Size(width: 300, height: 44), renderer: renderer) { _ in
      let title = song.title
      return DisplayTask { canvas, size, isCancelled in
        let layout = TextLayout(title, font: font, width: size.width)
        canvas.draw(layout, at: .zero, color: .black, unless: isCancelled)
      } willDisplay: { _ in
        spinner.underWay += 1
      } didDisplay: { _, finished in
        spinner.underWay -= 1  // it turns while there are any
      }
    }
    label.setNeedsDisplay()
    studio.run()
    #expect(label.contents?.width == 300 && spinner.log.entries == ["turns", "stops"])

    label.policy = .finishThenLatest
    label.setNeedsDisplay()
    studio.run()
    #expect(label.metrics.drawn == 2)
  }

  @Test func `the spinner turns while the second drawing runs`() {
    let (studio, spinner) = (studio, spinner)
    let layer = RenderLayer(size: Size(width: 9, height: 9), renderer: renderer) { _ in
      DisplayTask { canvas, size, isCancelled in
        studio.runtime.work(for: .ms(10))
      } willDisplay: { _ in
        spinner.underWay += 1
      } didDisplay: { _, finished in
        spinner.underWay -= 1  // it turns while there are any
      }
    }
    layer.setNeedsDisplay()
    studio.at(3) { layer.setNeedsDisplay() }
    studio.run(until: 11)
    #expect(spinner.log.entries == ["turns", "turns", "turns"])
    studio.run()
    #expect(spinner.log.entries.last == "stops" && layer.metrics.drawn == 1)
  }

  @Test func `a label`() async throws {
    let renderer = Renderer()
    let title = TextLabel(
      "one moment", font: font, size: Size(width: 300, height: 44), renderer: renderer)
    title.text = "Here you are"
    title.color = .white
    let picture = try await title.layer.displayed()
    #expect(picture?.width == 300)
  }
}
