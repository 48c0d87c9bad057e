import Foundation

/// A lesson: a script that explains itself.
struct Lesson {
  let path: String

  /// The name of the file without its extension.
  var name: String { FilePath.name(of: String(path.dropLast(Self.ending.count))) }

  /// The first sentence of the script.
  var title: String {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#!") }
    let comment = lines.prefix { $0.hasPrefix("#") }.map { $0.dropFirst(2) }.joined(separator: " ")
    let end = comment.firstRange(of: ". ")?.lowerBound ?? comment.endIndex
    let sentence = String(comment[..<end])
    return sentence.hasSuffix(".") ? sentence : sentence + "."
  }

  /// The script without its interpreter line.
  var text: String {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    guard text.hasPrefix("#!"), let newline = text.firstIndex(of: "\n") else { return text }
    return String(text[text.index(after: newline)...])
  }

  private static let ending = ".play"
  /// The folder of the lessons in the package.
  private static let place = "Scripts/Lessons"

  /// The lessons of the package that the program was built in, by name. Empty for a program that was moved elsewhere.
  static let all: [Lesson] = {
    var folder = Bundle.main.executablePath ?? ""
    while folder.count > 1 {
      folder = NSString(string: folder).deletingLastPathComponent
      let lessons = NSString(string: folder).appendingPathComponent(place)
      guard let files = try? FileManager.default.contentsOfDirectory(atPath: lessons) else {
        continue
      }
      return files.filter { $0.hasSuffix(ending) }.sorted()
        .map { Lesson(path: NSString(string: lessons).appendingPathComponent($0)) }
    }
    return []
  }()
}
