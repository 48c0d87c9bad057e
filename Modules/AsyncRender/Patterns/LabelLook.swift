import AsyncPatterns

/// What is drawn, and how: what `render`, `render.sync` and `render.yy` have in common.
struct LabelLook: Sendable {
  let size: Size
  /// The first text; without one, the input is.
  let text: String?
  let font: Font
  let scale: Double
  let color: Color
  let background: Color
  /// How long a line takes, on a virtual clock.
  let lineCost: Duration
  /// Whether the picture is the result.
  let isShown: Bool
  /// Where the picture is to be written.
  let file: String?

  /// What each of 80 lines of 40 letters in “Sans 14” took on the machine where this was made, with its share of
  /// the canvas.
  static let measuredLineCost = Duration.microseconds(20)

  static let parameters = [
    Parameter("size", .size, default: .size(300, 200), summary: "in units, as in 300x200"),
    Parameter("text", .string, summary: "the first text, in place of the input"),
    Parameter("font", .string, default: .string("Sans 14"), summary: "family, style and size"),
    Parameter("scale", .real, default: .real(1), summary: "how many pixels a unit has"),
    Parameter(
      "color", .string, default: .string("black"),
      summary: "of the letters: #336699, #33669980 or a name"),
    Parameter(
      "background", .string, default: .string("white"), summary: "a colour, or transparent"),
    Parameter(
      "line-cost", .duration, default: .duration(measuredLineCost),
      summary: "how long a line of text takes on the virtual clock"),
    Parameter(
      "picture", .bool, default: .bool(true), summary: "whether the picture is the result"),
    Parameter("save", .string, summary: "a file for the picture; on the live clock only"),
  ]

  init(_ arguments: Arguments) throws {
    let arguments = Self.completed(arguments)
    guard case .size(let width, let height)? = arguments["size"] else {
      throw ArgumentError("“size” is missing: it takes a size", parameter: "size")
    }
    size = Size(width: Double(width), height: Double(height))
    text = arguments["text"] == nil ? nil : try arguments.string("text")
    font = try Self.drawn("font", arguments) { text throws(DrawingError) in try Font(text) }
    color = try Self.drawn("color", arguments) { text throws(DrawingError) in try Color(text) }
    background = try Self.drawn("background", arguments) { text throws(DrawingError) in
      text == "transparent" ? .clear : try Color(text)
    }
    scale = try arguments.real("scale")
    lineCost = try arguments.duration("line-cost")
    isShown = try arguments.bool("picture")
    file = arguments["save"] == nil ? nil : try arguments.string("save")
    try check(width, height)
  }

  private static func completed(_ arguments: Arguments) -> Arguments {
    var arguments = arguments
    for parameter in parameters where arguments[parameter.name] == nil {
      arguments[parameter.name] = parameter.defaultValue
    }
    return arguments
  }

  private static func drawn<Result>(
    _ name: String, _ arguments: Arguments, _ make: (String) throws(DrawingError) -> Result
  ) throws -> Result {
    let text = try arguments.string(name)
    do throws(DrawingError) {
      return try make(text)
    } catch {
      throw ArgumentError("\(error)", parameter: name)
    }
  }

  private func check(_ width: Int, _ height: Int) throws(ArgumentError) {
    guard width >= 1, height >= 1 else {
      throw ArgumentError(
        "a picture of \(width)x\(height) shows nothing: each side is at least 1", parameter: "size")
    }
    guard scale.isFinite, scale > 0 else {
      throw ArgumentError("“scale” takes a number above 0, not \(scale)", parameter: "scale")
    }
    guard lineCost >= .zero else {
      throw ArgumentError(
        "“line-cost” cannot be less than nothing, and it is \(lineCost.shortDescription)",
        parameter: "line-cost")
    }
    let pixels = Size(
      width: (size.width * scale).rounded(.up), height: (size.height * scale).rounded(.up))
    guard max(pixels.width, pixels.height) <= Double(Canvas.longestSide),
      pixels.width * pixels.height <= Double(Canvas.mostPixels)
    else {
      throw ArgumentError(
        "a picture of \(width)x\(height) at a scale of \(scale) is too large: a side has at most "
          + "\(Canvas.longestSide) pixels, and all of it \(Canvas.mostPixels)", parameter: "size")
    }
    if let file, file.isEmpty || file.utf8.contains(0) {
      throw ArgumentError("the path is empty or has a NUL in it; name a file", parameter: "save")
    }
  }

  /// Draws a text, unless it is called off: then at most one more line is drawn.
  ///
  /// - Parameter occupy: called after each line, with what it costs.
  func draw(
    _ text: String, on canvas: Canvas, unless isCancelled: () -> Bool,
    _ occupy: (_ lineCost: Duration) -> Void
  ) {
    if isCancelled() { return }
    if background.alpha > 0 {
      canvas.fill(
        Path(Rect(origin: .zero, size: size)), with: .color(background))
    }
    let layout = TextLayout(text, font: font, width: size.width)
    _ = canvas.draw(layout, at: .zero, color: color, unless: isCancelled) { occupy(lineCost) }
  }
}
