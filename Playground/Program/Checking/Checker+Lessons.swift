import PlaygroundLanguage

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
    actions.append(Action { $0.console.say(Prose.wrapComments(text, to: $0.style.textWidth)) })
    let (outerSettings, outerBindings) = (settings, bindings)
    await read(
      WordSyntax(text: lesson.path, isQuoted: true, range: number.range), in: source)
    (settings, bindings) = (outerSettings, outerBindings)
    actions.append(Action { $0.settings = outerSettings })
  }
}
