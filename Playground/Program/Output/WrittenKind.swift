import TimingTrace

/// What is written to a file that somebody names: the name must not say that it is something else.
enum WrittenKind {
  /// Runs, as this program keeps them.
  case runs
  /// A page to look at in a browser.
  case page
  /// A picture that a run has yielded.
  case picture

  /// - Parameters:
  ///   - path: as it was written.
  ///   - order: who writes the file, as the beginning of a sentence: “--save”.
  /// - Throws: an error with the way out, if the name is that of another kind of file.
  func check(_ path: String, of order: String) throws(CommandError) {
    if let format = ExportFormat(bareName: path) {
      throw CommandError(
        "“\(path)” is the name of a format, and \(order) writes \(words)",
        hint: "name it \(path)\(ending), or ./\(path)"
          + "; “trace export --format \(format.name)” writes that format")
    }
    guard let written = FilePath.ending(of: path), !allows(written.lowercased()) else { return }
    throw CommandError(
      "\(order) writes \(words), and the ending “\(written)” of “\(path)” is not that of one",
      hint: "name it \(path.dropLast(written.count))\(ending)" + more)
  }

  private func allows(_ ending: String) -> Bool {
    switch self {
    case .page: TraceFormat.html.endings.contains(ending)
    case .runs: ending == self.ending || !Self.known.contains(ending)
    case .picture: ending == self.ending || !Self.known.union([".runs"]).contains(ending)
    }
  }

  /// Those that say what a file is: of the formats that are exported, and of what people have lying about, which is not
  /// to be lost by a slip of the hand.
  private static let known = Set(
    TraceFormat.allCases.flatMap(\.endings)
      + [
        ".png", ".json", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".xml", ".zip", ".gz", ".xz",
        ".tar",
        ".play", ".swift", ".md",
      ])

  private var ending: String {
    switch self {
    case .runs: ".runs"
    case .page: ".html"
    case .picture: ".png"
    }
  }

  private var words: String {
    switch self {
    case .runs: "a file of runs"
    case .page: "a page of HTML"
    case .picture: "a picture in PNG"
    }
  }

  private var more: String {
    switch self {
    case .runs: "; “trace export” writes pages, pictures and what other programs read"
    case .page:
      "; --save keeps runs, and “trace export” writes pictures and what other programs read"
    case .picture: ""
    }
  }
}
