import AsyncRender

/// The layer that is drawn: a card of 300 × 200 with a gradient, a circle, a line and text in two fonts.
struct Layer {
  static let size = Size(width: 300, height: 200)

  let title: String
  let body: String

  /// Layers with different texts, so that nothing can be cached from one to the next.
  static func samples(_ count: Int) -> [Layer] {
    (0..<count).map { number in
      Layer(
        title: "Message \(number) of \(count)",
        body:
          "This is the text of number \(number), and it continues for some lines: a card in a list shows a "
          + "few sentences, \(number * 7_919 % 1_000) of them at most, and a reader who flings the list sees "
          + "many in a second. The rest of it here is just as long as it was before, and \(number) again."
      )
    }
  }

  func draw(on canvas: Canvas, _ style: Style, unless isCancelled: () -> Bool) {
    canvas.fill(style.card, with: style.background)
    canvas.stroke(style.card, with: style.edge)
    canvas.fill(style.circle, with: style.blue)
    canvas.stroke(style.line, with: style.shade)
    canvas.draw(
      TextLayout(title, font: style.titleFont, width: 224), at: Point(x: 64, y: 20),
      color: style.ink, unless: isCancelled)
    // Cairo puts letters on whole pixels. At this position, no line of the text is halfway between two pixels.
    canvas.draw(
      TextLayout(body, font: style.bodyFont, width: 276), at: Point(x: 12, y: 68.25),
      color: style.ink, unless: isCancelled)
  }

  /// The common properties of all layers.
  struct Style {
    let titleFont: Font
    let bodyFont: Font
    let card = Path(roundedRect: Rect(x: 2, y: 2, width: 296, height: 196), radius: 10)
    let circle = Path(circleAt: Point(x: 32, y: 32), radius: 20)
    let line: Path
    let background = Paint.linear(
      Gradient(
        Color(red: 0.95, green: 0.97, blue: 1), Color(red: 0.8, green: 0.86, blue: 0.95)),
      from: .zero, to: Point(x: 0, y: 200))
    let edge = Paint.color(Color(red: 0.4, green: 0.5, blue: 0.7))
    let blue = Paint.color(Color(red: 0.2, green: 0.5, blue: 0.9))
    let shade = Paint.color(Color(gray: 0, alpha: 0.2))
    let ink = Color(red: 0.1, green: 0.1, blue: 0.15)

    init() throws(DrawingError) {
      titleFont = try Font("Sans Bold 13")
      bodyFont = try Font("Sans 10")
      var line = Path()
      line.move(to: Point(x: 12, y: 60))
      line.line(to: Point(x: 288, y: 60))
      self.line = line
    }
  }
}
