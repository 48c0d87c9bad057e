import AsyncRender

/// Draws the card of a post in parts, so that a drawing that is no longer needed stops early. A label draws the text on
/// top of it.
struct PostDrawing: Sendable {
  /// The size of a row, in units of two pixels.
  static let size = Size(width: 1_024, height: 60)
  static let scale = 2.0
  /// The position of the text on the card.
  static let textFrame = Rect(x: 64, y: 19, width: 834, height: 38)
  /// The number of lines of each text, with any fonts.
  static let lineCount = 3

  let post: Post
  let fonts: Fonts

  /// The fonts of the list, looked up once.
  struct Fonts: Sendable {
    let author: Font
    let text: Font

    init() throws(DrawingError) {
      author = try Font("Sans Bold 8")
      text = try Font("Sans 7")
    }
  }

  /// An empty text.
  static func text(_ fonts: Fonts) -> TextLayout {
    TextLayout("", font: fonts.text, width: textFrame.size.width, lineLimit: lineCount)
  }

  /// The number of parts.
  static let partCount = 3

  func draw(_ part: Int, on canvas: Canvas) {
    switch part {
    case 0: drawCard(on: canvas)
    case 1: drawAvatar(on: canvas)
    default: drawNumbers(on: canvas)
    }
  }

  private func drawCard(on canvas: Canvas) {
    canvas.fill(with: .color(Color(gray: 0.97)))
    let card = Rect(origin: .zero, size: Self.size).inset(by: 4)
    for distance in 0..<4 {
      let shadow = Rect(
        x: card.origin.x, y: card.origin.y + 1, width: card.size.width, height: card.size.height
      ).inset(by: -Double(distance) / 2)
      canvas.stroke(
        Path(roundedRect: shadow, radius: 8), with: .color(Color(gray: 0, alpha: 0.05)), width: 1)
    }
    let paint = Paint.linear(
      Gradient(Color(gray: 1), Color(gray: 0.95)), from: .zero, to: Point(x: 0, y: card.maxY))
    canvas.fill(Path(roundedRect: card, radius: 8), with: paint)
  }

  /// The author of the post.
  private func drawAvatar(on canvas: Canvas) {
    let circle = Path(circleAt: Point(x: 32, y: 30), radius: 22)
    let paint = Paint.radial(
      Gradient(.white, post.color), center: Point(x: 26, y: 22), radius: 30)
    canvas.fill(circle, with: paint)
    canvas.stroke(circle, with: .color(post.color), width: 1.5)
    let initial = TextLayout(
      String(post.author.prefix(1)), font: fonts.author, width: 44, alignment: .center)
    canvas.draw(initial, at: Point(x: 10, y: 23), color: .black)
    canvas.draw(
      TextLayout(post.author, font: fonts.author), at: Point(x: 64, y: 5), color: .black)
  }

  /// A curve of the visits, and the number of likes.
  private func drawNumbers(on canvas: Canvas) {
    let left = Self.size.width - 112
    let step = 96 / Double(post.visits.count - 1)
    var curve = Path()
    for (hour, visits) in post.visits.enumerated() {
      curve.line(to: Point(x: left + Double(hour) * step, y: 30 - 20 * visits))
    }
    canvas.stroke(curve, with: .color(post.color), width: 1, join: .round)
    curve.line(to: Point(x: left + 96, y: 32))
    curve.line(to: Point(x: left, y: 32))
    curve.close()
    canvas.fill(curve, with: .color(post.color.opacity(0.2)))

    let badge = Path(roundedRect: Rect(x: left + 46, y: 36, width: 50, height: 16), radius: 8)
    guard let likes = post.likes else {
      return canvas.stroke(badge, with: .color(Color(gray: 0.8)), width: 1, dash: [3, 2])
    }
    canvas.fill(badge, with: .color(post.color.opacity(0.4)))
    let layout = TextLayout("♥ \(likes)", font: fonts.text, width: 50, alignment: .center)
    canvas.draw(layout, at: Point(x: left + 46, y: 38), color: .black)
  }
}
