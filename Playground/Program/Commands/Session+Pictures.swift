import AsyncPatterns
import Foundation
import Pictures
import SystemSteps

/// Shows and saves the pictures that runs yield.
extension Session {
  /// How many pictures of one run are shown.
  private static let mostShown = 6

  /// Shows the pictures in a run's value, each with a line that describes it. Without a terminal, it shows only the
  /// lines.
  func showPictures(of run: FinishedRun) {
    let pictures = run.record.value.pictures
    guard let first = pictures.first else { return }
    let command = "show\(run.number.map { " \($0)" } ?? "") save FILE"
    let output = pictureOutput
    guard pictures.count > 1 else {
      return show(first, with: output, remark: "; “\(command)” saves it")
    }
    for (number, picture) in zip(1..., pictures.prefix(Self.mostShown)) {
      show(picture, with: output?.lower, heading: "\(number): ")
    }
    let more = pictures.count - Self.mostShown
    console.say("  " + (more > 0 ? "… and \(more) more; " : "") + "“\(command)” saves them")
  }

  private func show(
    _ data: Data, with output: PictureOutput?, heading: String = "", remark: String = ""
  ) {
    let size = Value.size(ofBytes: data.count)
    func say(_ text: String) {
      console.say(style.wrapped("  \(heading)\(text)\(remark)"))
    }
    do {
      let png = try PNG(data)
      if let output {
        console.say(verbatim: try png.drawn(output.style, in: output.window, on: output.background))
      }
      say("PNG, \(png.width) × \(png.height) pixels, \(size)")
    } catch {
      say("PNG, \(size), cannot be shown: \(error)")
    }
  }

  /// Saves the pictures that a run has yielded: the run of that number, or the last one. Several pictures go to
  /// numbered files.
  func savePictures(ofRun number: Int?, to path: String) {
    do {
      guard let run = try run(numbered: number) else { return }
      let pictures = run.record.value.pictures
      guard !pictures.isEmpty else {
        let value = run.record.value
        throw CommandError(
          "“\(run.name)” yielded \(value.typeName), not a picture",
          hint: value == .none
            ? nil
            : "a following step “write \"FILE\"” saves any value; “trace save FILE” saves runs")
      }
      let paths =
        pictures.count == 1
        ? [path] : (1...pictures.count).map { FilePath.numbered(path, $0) }
      for path in paths { try WrittenKind.picture.keepOthers(at: path, from: "“show save”") }
      for (picture, path) in zip(pictures, paths) {
        try File(FilePath.resolve(path)).replace(with: picture)
      }
      console.say(
        "saved \(pictures.count == 1 ? "the picture" : "\(pictures.count) pictures") to "
          + paths.shortList)
    } catch {
      fail(error)
    }
  }
}

extension Value {
  /// All PNG data in the value, in order. Data counts as PNG if it has the signature, even if the rest is invalid.
  var pictures: [Data] {
    switch self {
    case .data(let data): PNG.isPNG(data) ? [data] : []
    case .list(let values): values.flatMap(\.pictures)
    default: []
    }
  }
}

extension PictureOutput {
  /// The same output at half the height, for one of several pictures.
  fileprivate var lower: PictureOutput {
    var lower = self
    lower.window.rows = max(window.rows / 2, 1)
    return lower
  }
}

extension FilePath {
  /// The path with a number before the extension: `a-2.png`.
  static func numbered(_ path: String, _ number: Int) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path.lastIndex(of: "."), dot > name else { return "\(path)-\(number)" }
    return "\(path[..<dot])-\(number)\(path[dot...])"
  }
}
