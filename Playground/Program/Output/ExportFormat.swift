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
  /// - Throws: an error that lists the endings, for any other one.
  init(destination: String) throws(CommandError) {
    if let known = Self(fileName: destination) {
      self = known
      return
    }
    let name = destination[
      (destination.lastIndex(of: "/").map { destination.index(after: $0) } ?? destination.startIndex)...
    ]
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      name[dot...].lowercased() != ".json"
    else {
      self = .text(.chrome)
      return
    }
    let endings = TraceFormat.allCases.flatMap(\.endings) + [".png", ".json"]
    throw CommandError(
      "the ending “\(name[dot...])” of “\(destination)” tells no format",
      hint: "known ones are \(endings.joined(separator: ", ")); or name one: --format FORMAT")
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
