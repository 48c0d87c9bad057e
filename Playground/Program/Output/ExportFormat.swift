import PlaygroundLanguage
import TimingTrace

/// A format of `trace export`: one of the library's formats, or PNG, which needs code that only the program links.
enum ExportFormat: Hashable {
  case text(TraceFormat)
  case png

  static let all = TraceFormat.allCases.map { ExportFormat.text($0) } + [.png]

  /// The format with that name.
  init?(named name: String) {
    guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// The format that the extension of a destination stands for. Without an extension, and for `.json`, which several
  /// formats share, it is Chrome's format.
  ///
  /// - Throws: an error that lists the extensions, if this one is unknown; an error with a fix, if the destination is
  ///   only the name of a format.
  init(destination: String) throws(CommandError) {
    if let format = Self(bareName: destination) {
      throw CommandError(
        "“\(destination)” is the name of a format, not of a file",
        hint: "--format \(format.name) chooses the format; ./\(destination) is a file of that name")
    }
    if let known = Self(fileName: destination) {
      self = known
      return
    }
    guard let ending = FilePath.ending(of: destination), ending.lowercased() != ".json" else {
      self = .text(.chrome)
      return
    }
    let endings = TraceFormat.allCases.flatMap(\.endings) + [".png", ".json"]
    throw CommandError(
      "the extension “\(ending)” of “\(destination)” is not that of a format",
      hint: "known ones are \(endings.joined(separator: ", ")); or choose a format: --format FORMAT"
    )
  }

  /// The format that the user probably means by a destination such as `csv`, which is only the name or the extension of
  /// a format. Nil for any other destination.
  init?(bareName written: String) {
    guard !written.contains(where: { "./".contains($0) }) else { return nil }
    let word = written.lowercased()
    guard let known = Self(named: word == "json" ? "chrome" : word) ?? Self(fileName: "." + word)
    else { return nil }
    self = known
  }

  /// The format with the extension of that file name. Nil if no format has it.
  init?(fileName: String) {
    if fileName.lowercased().hasSuffix(".png") {
      self = .png
    } else {
      guard let format = TraceFormat(fileName: fileName) else { return nil }
      self = .text(format)
    }
  }

  var name: String {
    switch self {
    case .text(let format): format.rawValue
    case .png: "png"
    }
  }

  /// All formats, in a sentence.
  static var list: String { "the formats are \(names)" }

  static var names: String { all.map(\.name).joined(separator: ", ") }

  /// The hint for a format that does not exist.
  static func hint(for written: String) -> String {
    nearest(to: written, among: all.map(\.name)).map { "did you mean “\($0)”? \(list)" } ?? list
  }
}
