import AsyncPatterns
import FileWriting
import Foundation
import Pictures
import TimingTrace

/// The kind of file that an option or a command writes. The name of the file must not be that of another kind, and the
/// file must not replace one of another kind.
enum WrittenKind {
  /// Runs, in the program's own format.
  case runs
  /// A page to look at in a browser.
  case page
  /// A picture that a run has yielded.
  case picture
  /// A script of what was typed.
  case script

  /// The first line of such a script.
  static let scriptStart = "#!/usr/bin/env playground"

  /// Checks the destination of a file.
  ///
  /// - Parameters:
  ///   - path: the path as the user wrote it.
  ///   - order: the option or command that writes the file, as the beginning of a sentence: “--save”.
  /// - Throws: an error with a fix, if the name or the existing file belongs to another kind of file.
  func check(_ path: String, of order: String) throws(CommandError) {
    if let format = ExportFormat(bareName: path) {
      throw CommandError(
        "“\(path)” is the name of a format, but \(order) writes \(words)",
        hint: "name it \(path)\(ending), or ./\(path)"
          + "; “trace export --format \(format.name)” writes that format")
    }
    if let written = FilePath.ending(of: path), !allows(written.lowercased()) {
      let name = path.dropLast(written.count)
      let isNamed = FilePath.ending(of: String(name)).map { isOwn($0.lowercased()) } ?? false
      throw CommandError(
        "\(order) writes \(words), but the extension “\(written)” of “\(path)” is for other files",
        hint: "name it \(name)\(isNamed ? "" : ending)" + more)
    }
    try keepOthers(at: path, from: order)
  }

  private func allows(_ ending: String) -> Bool {
    switch self {
    case .page: isOwn(ending)
    case .runs: isOwn(ending) || !Self.known.contains(ending)
    case .script: isOwn(ending)
    case .picture: isOwn(ending) || !Self.known.union([".runs"]).contains(ending)
    }
  }

  private func isOwn(_ ending: String) -> Bool {
    self == .page ? TraceFormat.html.endings.contains(ending) : ending == self.ending
  }

  /// The extensions of the other files that this program reads and writes.
  private static let known = Set(
    TraceFormat.allCases.flatMap(\.endings) + [".png", ".json", ".play", ".swift"])

  // MARK: What is there

  /// - Throws: an error with a fix, if the existing file is of another kind, and would be lost.
  func keepOthers(at path: String, from order: String) throws(CommandError) {
    // A device or a pipe stores nothing. The code that writes the file reports a missing folder, or a folder in its
    // place.
    let place = try? FileReplacement(FilePath.resolve(path))
    guard let place, place.kind == .file else { return }
    let fix = "name another file, or remove that one first"
    let file = open(place.target, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw CommandError(
        "“\(path)” exists and cannot be read, so \(order) does not replace it: "
          + String(cString: strerror(errno)), hint: fix)
    }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    guard count != 0, !isBegun(by: Data(bytes.prefix(max(count, 0)))) else { return }
    throw CommandError(
      "“\(path)” exists and is not \(words), so \(order) does not replace it", hint: fix)
  }

  /// Whether the first bytes are those of a file of this kind.
  private func isBegun(by bytes: Data) -> Bool {
    switch self {
    case .runs: return SavedRuns.startsAsRuns(bytes)
    case .page:
      let text = String(decoding: bytes, as: UTF8.self).lowercased()
      return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
    case .picture: return PNG.isPNG(bytes)
    case .script: return bytes.starts(with: Data(Self.scriptStart.utf8))
    }
  }

  // MARK: Words

  private var ending: String {
    switch self {
    case .runs: ".runs"
    case .page: ".html"
    case .picture: ".png"
    case .script: ".play"
    }
  }

  private var words: String {
    switch self {
    case .runs: "a file of runs"
    case .page: "an HTML page"
    case .picture: "a PNG picture"
    case .script: "a script that it has written"
    }
  }

  private var more: String {
    switch self {
    case .runs: "; “trace export” writes pages, pictures and files for other programs"
    case .page:
      "; --save saves runs, and “trace export” writes pictures and files for other programs"
    case .picture, .script: ""
    }
  }
}
