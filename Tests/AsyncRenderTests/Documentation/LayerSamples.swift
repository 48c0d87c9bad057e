import AsyncRender
import Simulation
import Testing

/// The page's layers and labels, as it shows them.
@Suite struct LayerSamples {
  private struct Song: Sendable { let title: String }

  private final class Spinner: Sendable {
    let log = Log()
    func start() { log.append("start") }
    func stop() { log.append("stop") }
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
        spinner.start()
      } didDisplay: { _, finished in
        spinner.stop()
      }
    }
    label.setNeedsDisplay()
    studio.run()
    #expect(label.contents?.width == 300 && spinner.log.entries == ["start", "stop"])

    label.policy = .finishThenLatest
    label.setNeedsDisplay()
    studio.run()
    #expect(label.figures.drawn == 2)
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
