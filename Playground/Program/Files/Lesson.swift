import Foundation
import PlaygroundLanguage

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

extension Checker {
  /// `lesson N`: shows a script and runs it. The settings and names of the session stay as they are.
  mutating func lesson(_ number: CountSyntax, in source: Source) async {
    guard Lesson.all.indices.contains(number.value - 1) else {
      return report(
        "there is no lesson \(number.value)", at: number.range, in: source,
        hint: Lesson.all.isEmpty
          ? "the folder Scripts/Lessons is not above this program"
          : "“lessons” lists them: 1 to \(Lesson.all.count)")
    }
    let lesson = Lesson.all[number.value - 1]
    let text = lesson.text
    actions.append(Action { $0.console.say(text) })
    let (outerSettings, outerBindings) = (settings, bindings)
    await read(
      WordSyntax(text: lesson.path, isQuoted: true, range: number.range), in: source)
    (settings, bindings) = (outerSettings, outerBindings)
    actions.append(Action { $0.settings = outerSettings })
  }
}

extension Session {
  func showLessons() {
    guard !Lesson.all.isEmpty else {
      return console.say(
        "There are no lessons: the folder Scripts/Lessons is not above this program.")
    }
    let rows = zip(1..., Lesson.all).map { ["\($0)", $1.name, $1.title] }
    console.say(
      TextTable(columns: ["", "lesson", ""], rows: rows).text(width: style.textWidth)
        + "\n“lesson 3” shows the third one and runs it.")
  }
}
