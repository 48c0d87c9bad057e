/// A picture of half-block characters: each character shows two pixels, one above the other.
struct HalfBlocks {
  /// Two pixels for each character.
  let raster: Raster
  let background: Background
  /// Whether the terminal supports 24-bit colours, not only 256 colours.
  let hasTrueColor: Bool

  var text: String {
    var text = ""
    for y in stride(from: 0, to: raster.height, by: 2) {
      var line = Line(hasTrueColor: hasTrueColor)
      for x in 0..<raster.width {
        line.add(
          background.color(behind: raster[x, y]),
          y + 1 < raster.height ? background.color(behind: raster[x, y + 1]) : nil)
      }
      text += line.finished
    }
    return text
  }

  /// A line of text with escape sequences where the colours change.
  private struct Line {
    let hasTrueColor: Bool
    private var text = ""
    private var foreground: RGBColor?
    private var background: RGBColor?
    /// Blanks that are written only if a block follows.
    private var blanks = 0

    init(hasTrueColor: Bool) { self.hasTrueColor = hasTrueColor }

    mutating func add(_ upper: RGBColor?, _ lower: RGBColor?) {
      switch (upper, lower) {
      case (nil, nil):
        setBackground(nil)
        blanks += 1
      case (let upper?, nil): write("▀", upper, on: nil)
      case (nil, let lower?): write("▄", lower, on: nil)
      case (let upper?, let lower?): write("▀", upper, on: lower)
      }
    }

    private mutating func write(_ block: Character, _ color: RGBColor, on behind: RGBColor?) {
      text += String(repeating: " ", count: blanks)
      blanks = 0
      setBackground(behind)
      if foreground != color {
        text += "\u{1B}[38;\(name(color))m"
        foreground = color
      }
      text.append(block)
    }

    private mutating func setBackground(_ color: RGBColor?) {
      guard background != color else { return }
      text += color.map { "\u{1B}[48;\(name($0))m" } ?? "\u{1B}[49m"
      background = color
    }

    private func name(_ color: RGBColor) -> String {
      hasTrueColor ? "2;\(color.red);\(color.green);\(color.blue)" : "5;\(color.indexed)"
    }

    var finished: String { (foreground == nil ? "" : text + "\u{1B}[0m") + "\n" }
  }
}
