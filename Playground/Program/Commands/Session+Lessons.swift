extension Session {
  func showLessons() async {
    guard !Lesson.all.isEmpty else {
      return console.say(
        "There are no lessons: the folder Scripts/Lessons is not above this program.")
    }
    let rows = zip(1..., Lesson.all).map { ["\($0)", $1.name, $1.title] }
    await page(
      TextTable(columns: ["", "lesson", ""], rows: rows).text(width: style.textWidth)
        + "\n“lesson 3” shows the third one and runs it.")
  }
}
