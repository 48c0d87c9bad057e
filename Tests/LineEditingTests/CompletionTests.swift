import Testing

@testable import LineEditing

@Suite struct CompletionTests {
  @Test func `a single completion is inserted with its suffix`() {
    let matches = CompletionMatches(
      [WordCompletion("serial", replacingFrom: 2, suffix: "(")], head: "a ser", tail: "",
      lineStart: 0)
    #expect(matches.readlineMatches == ["a serial("])
  }

  @Test(arguments: [("(3)", "serial"), (" after", "serial("), ("", "serial(")])
  func `a suffix that already follows is not repeated`(tail: String, line: String) {
    let matches = CompletionMatches(
      [WordCompletion("serial", replacingFrom: 0, suffix: "(")], head: "ser", tail: tail,
      lineStart: 0)
    #expect(matches.readlineMatches == [line])
  }

  @Test func `several completions insert their common prefix`() {
    let texts = ["path-1/é.txt", "path-1/è.txt"]
    let matches = CompletionMatches(
      texts.map { WordCompletion($0, replacingFrom: 6, suffix: "\"") }, head: "read \"p", tail: "",
      lineStart: 0)
    #expect(
      matches.readlineMatches == ["read \"path-1/", "read \"path-1/é.txt", "read \"path-1/è.txt"])
  }

  @Test func `offsets count from the start of the block`() {
    let matches = CompletionMatches(
      [WordCompletion("sleep", replacingFrom: 4), WordCompletion("early", replacingFrom: 1)],
      head: " s",
      tail: "", lineStart: 3)
    // The second match would change an earlier line, which can no longer be edited.
    #expect(matches.readlineMatches == [" sleep"])
  }

  @Test(arguments: [-1, 9, 1])
  func `a completion with an impossible start is ignored`(start: Int) {
    let matches = CompletionMatches(
      [WordCompletion("x", replacingFrom: start)], head: "é", tail: "", lineStart: 0)
    #expect(matches.readlineMatches == [])
  }

  @Test func `the same text is offered once`() {
    let matches = CompletionMatches(
      [WordCompletion("a", replacingFrom: 0), WordCompletion("a", replacingFrom: 0, suffix: " ")],
      head: "", tail: "", lineStart: 0)
    #expect(matches.candidates.map(\.text) == ["a"])
  }
}

@Suite struct PromptTextTests {
  @Test(arguments: [
    ("> ", true, "> "),
    ("\u{1B}[1;32m>\u{1B}[0m ", true, "\u{1}\u{1B}[1;32m\u{2}>\u{1}\u{1B}[0m\u{2} "),
    ("\u{1B}[1;32m>\u{1B}[0m ", false, "> "),
    ("\u{1B}[", true, "\u{1B}["),
  ])
  func `colours in the prompt take no width`(prompt: String, color: Bool, expected: String) {
    #expect(readlinePrompt(prompt, color: color) == expected)
  }
}
