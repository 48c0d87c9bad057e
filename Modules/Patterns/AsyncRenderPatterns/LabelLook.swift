import AsyncPatterns
import AsyncRender

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The text and the look of a label: the common part of `render`, `render.sync` and `render.yy`.
struct LabelLook: Sendable {
  let size: Size
  /// The text that the label shows first; nil to use the input.
  let text: String?
  let scale: Double
  /// The time that a line takes on a virtual clock.
  let lineCost: Duration
  /// Whether the picture is the result.
  let isShown: Bool
  /// The file to which the picture is written, if any.
  private let file: String?
  private let font: Font
  private let color: Color
  private let background: Color

  /// The measured time per line for 80 lines of 40 letters in “Sans 14” on the development machine, including a share
  /// of the time for the canvas.
  static let measuredLineCost = Duration.microseconds(20)

  static let parameters = [
    Parameter("size", .size, default: .size(300, 200), summary: "in units, as in 300x200"),
    Parameter("text", .string, summary: "the first text, in place of the input"),
    Parameter(
      "font", .string, default: .string("Sans 14"),
      summary: "family, style and size; a missing family is replaced by the most similar one"),
    Parameter("scale", .real, default: .real(1), summary: "the number of pixels per unit"),
    Parameter(
      "color", .string, default: .string("black"),
      summary: "of the letters: #336699, #33669980 or a name"),
    Parameter(
      "background", .string, default: .string("white"), summary: "a colour, or transparent"),
    Parameter(
      "line-cost", .duration, default: .duration(measuredLineCost),
      summary: "how long a line of text takes on the virtual clock; measured on the live clock"),
    Parameter(
      "picture", .bool, default: .bool(true), summary: "whether the picture is the result"),
    Parameter("save", .string, clocks: [.live], summary: "a file for the picture, as PNG"),
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
    guard scale.isFinite, scale > 0 else {
      throw ArgumentError(
        "“scale” takes a number above 0, not \(scale.brief)", parameter: "scale")
    }
    guard lineCost >= .zero else {
      throw ArgumentError(
        "“line-cost” takes a duration of 0 or more, not \(lineCost.shortDescription)",
        parameter: "line-cost")
    }
    let pixels = Size(
      width: (size.width * scale).rounded(.up), height: (size.height * scale).rounded(.up))
    guard max(pixels.width, pixels.height) <= Double(Canvas.longestSide),
      pixels.width * pixels.height <= Double(Canvas.mostPixels)
    else {
      throw ArgumentError(
        "a picture of \(width)x\(height) at a scale of \(scale.brief) is too large: a side has at most "
          + "\(Canvas.longestSide) pixels, and the whole picture \(Canvas.mostPixels)",
        parameter: "size")
    }
    guard let file else { return }
    guard !file.isEmpty, !file.utf8.contains(0) else {
      throw ArgumentError(
        "the path is empty or contains a NUL character; name a file", parameter: "save")
    }
    let ending = URL(filePath: file).pathExtension.lowercased()
    guard ending.isEmpty || ending == "png" else {
      throw ArgumentError(
        "pictures are saved as PNG, but “\(file)” has another extension; end the name in .png",
        parameter: "save")
    }
    guard !isEmpty else {
      throw ArgumentError(
        "a picture of \(width)x\(height) is empty, so it cannot be saved: each side must be at least 1",
        parameter: "size")
    }
  }

  /// Whether there is nothing to draw on.
  private var isEmpty: Bool { !(size.width >= 1 && size.height >= 1) }

  /// The text of a label with its colours.
  func content(_ text: String) -> LabelContent {
    LabelContent(
      layout: TextLayout(text, font: font, width: size.width), color: color, background: background)
  }

  // MARK: The picture

  /// Why the picture cannot be saved on that clock; nil if it can.
  func refusal(on clock: ClockKind) -> (any Error)? {
    guard file != nil, clock == .virtual else { return nil }
    return StepFailure(
      "“save” writes a file, which works on the live clock only; leave it out, or “set clock live”"
    )
  }

  /// The picture as the result of the pattern. It is also saved if the pattern asks for that.
  ///
  /// - Parameter isGone: whether the layer was released, so that there is no picture.
  func value(
    of picture: Picture?, isGone: Bool, cancellation: Cancellation
  ) throws -> Value {
    guard let picture else {
      if let file, isGone {
        throw StepFailure(
          "“\(file)” was not saved: the layer was released before the end; make “lifetime” longer")
      }
      guard isGone || isEmpty else { throw StepFailure("not enough memory for the picture") }
      return .none
    }
    guard isShown || file != nil else { return .none }
    do {
      let data = try file.map {
        try picture.write(to: URL(filePath: $0.expandingHome), cancellation: cancellation)
      }
      return isShown ? .data(try data ?? picture.pngData(cancellation: cancellation)) : .none
    } catch {
      throw cancellation.isCancelled ? CancellationError() : error
    }
  }
}

extension Double {
  /// The number as text for messages, without decimals if it is a whole number.
  var brief: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

extension String {
  /// The path with a leading `~` replaced by the home directory.
  fileprivate var expandingHome: String {
    guard self == "~" || hasPrefix("~/") else { return self }
    return FileManager.default.homeDirectoryForCurrentUser.path + dropFirst()
  }
}
