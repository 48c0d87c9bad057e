package import TraceBasics

/// A timeline as Scalable Vector Graphics 1.1, with system fonts and without scripts or external resources.
///
/// Each colour occurs twice: as an attribute for a light background, which every viewer supports, and in a style sheet
/// for viewers in dark mode. The same record gives the same bytes.
package enum SVGPicture {
  package static func write(_ runs: [SavedRun], to output: inout TextOutput) {
    write(TimelinePicture(of: runs), to: &output)
  }

  private static func write(_ picture: TimelinePicture, to output: inout TextOutput) {
    let size = "\(number(picture.width)) \(number(picture.height))"
    output.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    output.line(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(number(picture.width))\" "
        + "height=\"\(number(picture.height))\" viewBox=\"0 0 \(size)\" role=\"img\" "
        + "font-family=\"system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif\">"
    )
    output.line("<title>\(escaped(picture.title))</title>")
    writeStyle(to: &output)
    writePatterns(picture, to: &output)
    for mark in picture.marks { write(mark, to: &output) }
    output.line("</svg>")
  }

  private static func writeStyle(to output: inout TextOutput) {
    output.line("<style>")
    output.line("@media (prefers-color-scheme: dark) {")
    for ink in PictureInk.allCases {
      let color = ink.hexadecimal(isDark: true)
      output.line(".f-\(ink.rawValue) { fill: \(color) } .s-\(ink.rawValue) { stroke: \(color) }")
    }
    output.line("}")
    output.line("</style>")
  }

  // MARK: Hatching

  private struct Pattern: Hashable {
    let ink: PictureInk
    let distance: Double
    let thickness: Double
    var id: String {
      "\(ink.rawValue)-\(SVGPicture.number(distance))-\(SVGPicture.number(thickness))"
    }
  }

  private static func writePatterns(_ picture: TimelinePicture, to output: inout TextOutput) {
    var known: Set<Pattern> = []
    output.line("<defs>")
    for mark in picture.marks {
      guard case .rectangle(let rectangle) = mark,
        case .hatched(let distance, let thickness) = rectangle.fill
      else { continue }
      let pattern = Pattern(ink: rectangle.ink, distance: distance, thickness: thickness)
      guard known.insert(pattern).inserted else { continue }
      output.line(
        "<pattern id=\"\(pattern.id)\" width=\"\(number(distance))\" height=\"\(number(distance))\" "
          + "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
          + "<rect width=\"\(number(thickness))\" height=\"\(number(distance))\"\(fill(pattern.ink))/>"
          + "</pattern>")
    }
    output.line("</defs>")
  }

  // MARK: Marks

  private static func write(_ mark: TimelinePicture.Mark, to output: inout TextOutput) {
    switch mark {
    case .rectangle(let rectangle):
      var rectangle = rectangle
      var paint = fill(rectangle.ink)
      switch rectangle.fill {
      case .solid: break
      case .hatched(let distance, let thickness):
        let pattern = Pattern(ink: rectangle.ink, distance: distance, thickness: thickness)
        paint = " fill=\"url(#\(pattern.id))\""
      case .framed(let thickness):
        rectangle = rectangle.inset(by: thickness / 2)
        paint = framed(rectangle.ink, thickness: thickness)
      }
      let radius = rectangle.radius > 0 ? " rx=\"\(number(rectangle.radius))\"" : ""
      let start =
        "<rect x=\"\(number(rectangle.x))\" y=\"\(number(rectangle.y))\" "
        + "width=\"\(number(rectangle.width))\" height=\"\(number(rectangle.height))\"\(radius)\(paint)"
      output.line(
        rectangle.hint.map { "\(start)><title>\(escaped($0))</title></rect>" } ?? "\(start)/>")
    case .line(let line):
      output.line(
        "<polyline points=\"\(points(line.points))\" fill=\"none\"\(stroke(line.ink)) "
          + "stroke-width=\"\(number(line.thickness))\" stroke-linejoin=\"round\""
          + (line.dash.map { " stroke-dasharray=\"\(number($0))\"" } ?? "") + "/>")
    case .area(let corners, let ink):
      output.line("<polygon points=\"\(points(corners))\"\(fill(ink))/>")
    case .text(let text):
      if text.hasHalo {
        // The halo is a separate text below the text, since not every viewer supports `paint-order`.
        let ground = PictureInk.ground.hexadecimal(isDark: false)
        let paint = " fill=\"\(ground)\" stroke=\"\(ground)\" class=\"f-ground s-ground\""
        write(text, paint: paint + " stroke-width=\"4\"", to: &output)
      }
      write(text, paint: fill(text.ink), to: &output)
    }
  }

  private static func write(
    _ text: TimelinePicture.Text, paint: String, to output: inout TextOutput
  ) {
    let anchor =
      switch text.anchor {
      case .start: ""
      case .middle: " text-anchor=\"middle\""
      case .end: " text-anchor=\"end\""
      }
    let weight = text.isBold ? " font-weight=\"bold\"" : ""
    output.line(
      "<text x=\"\(number(text.x))\" y=\"\(number(text.y))\" font-size=\"\(number(text.size))\""
        + "\(anchor)\(weight)\(paint)>\(escaped(text.text))</text>")
  }

  private static func fill(_ ink: PictureInk) -> String {
    " fill=\"\(ink.hexadecimal(isDark: false))\" class=\"f-\(ink.rawValue)\""
  }

  /// Attributes that fill a shape with the ground, and frame it in another ink.
  private static func framed(_ ink: PictureInk, thickness: Double) -> String {
    " fill=\"\(PictureInk.ground.hexadecimal(isDark: false))\" "
      + "stroke=\"\(ink.hexadecimal(isDark: false))\" class=\"f-ground s-\(ink.rawValue)\" "
      + "stroke-width=\"\(number(thickness))\""
  }

  private static func stroke(_ ink: PictureInk) -> String {
    " stroke=\"\(ink.hexadecimal(isDark: false))\" class=\"s-\(ink.rawValue)\""
  }

  private static func points(_ points: [TimelinePicture.Point]) -> String {
    points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
  }

  // MARK: Text

  /// At most two decimals, independent of the system's language.
  fileprivate static func number(_ number: Double) -> String {
    let hundredths = Int64((number * 100).rounded())
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole)."
      + (rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)")
  }

  /// The text escaped for XML. Characters that XML does not allow are replaced.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in PictureText.printable(text).unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "?"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
