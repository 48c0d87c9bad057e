import PlaygroundLanguage
import Testing

@Suite struct PromptTests {
  @Test(arguments: [
    "serial {", "serial { a: sleep 1ms", "serial {\n a;\n b", "job = [", "job =", "graph(width:",
    "graph(width: 2,", "compare job under", "compare job under serial,", "g { a: x; b: y after a,",
    "explore job checking {", "expect order a,", "expect value == [1,", "compare runs 2,",
    "p { q { a } # open", "x(curve: (0,", "names; serial {",
  ])
  func `an unfinished block needs more lines`(_ text: String) { #expect(Parser.needsMore(text)) }

  @Test(
    arguments: [
      "", "# note", "serial job", "serial { a }", "serial }", "a: b", "serial { a: sleep 5xx",
      "sh \"open", "p { sh \"open", "serial { a: ", "expect makespan <", "compare job", "trace",
      "serial { a ]", "run = {", "load {", "p { after", "value 5sec",
    ])
  func `a complete or wrong block needs no more lines`(_ text: String) {
    #expect(!Parser.needsMore(text))
  }
}
