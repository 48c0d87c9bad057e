import PlaygroundLanguage
import TimingTrace

/// A format that `trace export` knows: those of the library, and pixels, which take what only the program links.
enum ExportFormat: Hashable {
  case text(TraceFormat)
  case png

  static let all = TraceFormat.allCases.map { ExportFormat.text($0) } + [.png]

  /// The format of that name.
  init?(named name: String) {
    guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// The format that a destination stands for: the one that its ending tells, and without one, or with the `.json`
  /// that several share, Chrome's.
  ///
  /// - Throws: an error that lists the endings, for any other one; one that names the way out, for the mere name of a
  ///   format.
  init(destination: String) throws(CommandError) {
    if let format = Self(bareName: destination) {
      throw CommandError(
        "“\(destination)” is the name of a format, and would be that of a file",
        hint: "--format \(format.name) chooses the format; a file of that name is ./\(destination)")
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
      "the ending “\(ending)” of “\(destination)” tells no format",
      hint: "known ones are \(endings.joined(separator: ", ")); or name one: --format FORMAT")
  }

  /// The format that somebody has in mind who names a destination by nothing but a format's name or ending, such as
  /// `csv`; nil where it is not that.
  init?(bareName written: String) {
    guard !written.contains(where: { "./".contains($0) }) else { return nil }
    let word = written.lowercased()
    guard let known = Self(named: word == "json" ? "chrome" : word) ?? Self(fileName: "." + word)
    else { return nil }
    self = known
  }

  /// The format that a file's ending tells; nil where none has it.
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

  /// All there are, in a sentence.
  static var list: String { "there are \(names)" }

  static var names: String { all.map(\.name).joined(separator: ", ") }

  /// What to say to somebody who wrote another one.
  static func hint(for written: String) -> String {
    nearest(to: written, among: all.map(\.name)).map { "did you mean “\($0)”? \(list)" } ?? list
  }
}
