import AsyncRender
import RunLoopTransaction
import Testing

/// The samples in the comments on layers, canvases and labels.
@Suite struct CommentSamples {
  /// A spinner that turns while displays are in progress.
  private final class Spinner: Sendable {
    private let count = Locked(0)

    var underWay: Int {
      get { count.withLock { $0 } }
      set { count.withLock { $0 = newValue } }
    }
  }

  /// Reads rows until it is aborted.
  private final class Decoder: Sendable {
    private let aborted = Locked(false)

    var isAborted: Bool { aborted.withLock { $0 } }
    func abort() { aborted.withLock { $0 = true } }
  }

  private struct Song: Sendable { let title: String }

  private let studio = Studio()
  private let song = Song(title: "Title")
  private let size = Size(width: 300, height: 44)
  private let font: Font
  private let drawn = Log()

  init() throws { font = try Font("Sans 14") }

  /// Logs the text, and fills the canvas.
  private var drawing: @Sendable (_ text: String, _ canvas: Canvas) -> Void {
    { [drawn] text, canvas in
      drawn.append(text)
      canvas.fill(with: .color(.black))
    }
  }

  // MARK: Layers

  @Test(.timeLimit(.minutes(1))) func `a layer`() async throws {
    let (song, drawing) = (song, drawing)
    @Sendable func draw(_ title: String, on canvas: Canvas) { drawing(title, canvas) }

    let label = RenderLayer(size: Size(width: 300, height: 44)) { _ in
      let title = song.title
      return DisplayTask { canvas, size, isCancelled in
        draw(title, on: canvas)
      }
    }
    label.setNeedsDisplay()
    let picture = try await label.displayed()
    #expect(picture?.width == 300 && drawn.entries == ["Title"])
  }

  @Test(.timeLimit(.minutes(1))) func `a display task`() async throws {
    let (song, drawing, spinner) = (song, drawing, Spinner())
    @Sendable func draw(_ title: String, on canvas: Canvas) {
      #expect(spinner.underWay == 1)
      drawing(title, canvas)
    }

    func makeLayer() -> RenderLayer {
      RenderLayer(size: size) { _ in
        let title = song.title  // on the main lane
        return DisplayTask { canvas, size, isCancelled in
          draw(title, on: canvas)  // on a drawing lane
        } willDisplay: { _ in
          spinner.underWay += 1  // it turns while there are any
        } didDisplay: { layer, finished in
          spinner.underWay -= 1  // on the main lane again
        }
      }
    }
    let layer = makeLayer()
    let picture = try await layer.setNeedsDisplay().value
    #expect(picture?.height == 44 && drawn.entries == ["Title"])
  }

  @Test func `a drawing that is cancelled`() {
    let (drawing, decoder, studio) = (drawing, Decoder(), studio)
    let rows = ["1", "2", "3"]
    @Sendable func draw(_ row: String, on canvas: Canvas) {
      drawing(row, canvas)
      studio.runtime.work(for: .ms(2))
    }

    @Sendable func makeTask() -> DisplayTask {
      DisplayTask { canvas, size, isCancelled in
        isCancelled.onCancel { decoder.abort() }
        for row in rows {
          if isCancelled() { return }
          draw(row, on: canvas)
        }
      }
    }
    let layer = RenderLayer(size: size, renderer: studio.renderer) { _ in makeTask() }
    layer.setNeedsDisplay()
    studio.at(3) { layer.cancelDisplay() }
    studio.run()
    #expect(drawn.entries == ["1", "2"] && decoder.isAborted)
  }

  @Test func `a group`() {
    let (title, artist) = (studio.layer("title"), studio.layer("artist"))
    let cover = studio.layer("cover", step: .ms(20))
    let row = DisplayGroup()
    for layer in [title, artist, cover] { layer.group = row }
    for layer in [title, artist, cover] { layer.setNeedsDisplay() }
    studio.run()
    let ends = studio.log.entries.filter { $0.hasPrefix("did") }
    #expect(ends.allSatisfy { $0.hasSuffix("shown@40") } && ends.count == 3, "\(ends)")
  }

  @Test(.timeLimit(.minutes(1))) func `a renderer`() async throws {
    let drawing = DisplayTask { canvas, _, _ in canvas.fill(with: .color(.white)) }
    let renderer = Renderer(lanes: .workers(count: 2))
    let layer = RenderLayer(size: size, renderer: renderer) { _ in drawing }
    let picture = try await layer.setNeedsDisplay().value
    #expect(picture?[0, 0] == 0xFFFF_FFFF)
  }

  // MARK: Drawing

  @Test func `a canvas`() throws {
    let canvas = try Canvas(size: Size(width: 120, height: 40), scale: 2)
    let button = Rect(x: 2, y: 2, width: 116, height: 36)
    canvas.fill(Path(roundedRect: button, radius: 8), with: .color(.black))
    canvas.draw(TextLayout("hello", font: font), at: Point(x: 10, y: 8), color: .white)
    let picture = try canvas.finish()
    #expect(picture.width == 240 && picture[0, 0] == 0 && picture[120, 8] == 0xFF00_0000)
  }

  @Test func `a path`() throws {
    let canvas = try Canvas(size: Size(width: 10, height: 10))
    var triangle = Path()
    triangle.move(to: Point(x: 0, y: 10))
    triangle.line(to: Point(x: 5, y: 0))
    triangle.line(to: Point(x: 10, y: 10))
    triangle.close()
    canvas.fill(triangle, with: .color(.black))
    let picture = try canvas.finish()
    #expect(picture[5, 5] == 0xFF00_0000 && picture[0, 0] == 0 && picture[9, 0] == 0)
  }

  @Test func `a text`() throws {
    let (text, font) = ("one two three", font)
    let layer = RenderLayer(size: size, renderer: studio.renderer) { _ in
      DisplayTask { canvas, _, isCancelled in
        let layout = TextLayout(text, font: font, width: 300, lineLimit: 3)
        canvas.draw(layout, at: .zero, color: .black, unless: isCancelled)
      }
    }
    layer.setNeedsDisplay()
    studio.run()
    let picture = try #require(layer.contents)
    #expect(picture.withPixels { $0.contains { $0 != 0 } })
  }

  // MARK: Labels

  @Test(.timeLimit(.minutes(1))) func `a label`() async throws {
    let font = try Font("Sans 14")
    let label = TextLabel("one moment", font: font, size: Size(width: 300, height: 60))
    label.text = "Here you are"
    label.color = .white
    let picture = try await label.layer.displayed()
    #expect(picture?.height == 60 && label.text == "Here you are")
  }

  @Test(.timeLimit(.minutes(1))) func `a label among transactions`() async throws {
    let label = TextLabel("…", font: font, size: size) { label, update in
      Transaction(label, "contents") { _ in update() }.commit()
    }
    label.text = "other"
    await withCheckedContinuation { continuation in
      let first = Locked<CheckedContinuation<Void, Never>?>(continuation)
      let proceed = { @Sendable in
        first.withLock { first in
          defer { first = nil }
          return first
        }?.resume()
      }
      label.layer.onContentsChange = { _ in proceed() }
      if label.layer.contents != nil { proceed() }
    }
    #expect(label.layer.contents?.width == 300)
  }
}
