import Composing
import PlaygroundLanguage
import Testing

/// A composition as a self-contained script.
@Suite struct ScriptTests {
  /// The last composition, as a script.
  static func script(_ text: String) -> String? { Composition(text).composed.last?.script }

  @Test(arguments: [
    ("sleep 1ms", "sleep 1ms"),
    (
      "serial   { a: sleep  1ms # why\n b: value \"x\" }", "serial { a: sleep 1ms; b: value \"x\" }"
    ),
    (
      "job = [ fetch: sleep 20ms; parse: work 5ms ]\ngraph job",
      "job = [ fetch: sleep 20ms; parse: work 5ms ]; graph job"
    ),
    ("page = sleep 1ms\npage", "page = sleep 1ms; page"),
    // Only definitions that are used, in an order that does not depend on the dictionary.
    (
      "z = sleep 1ms\nq = sleep 2ms\na = [ z; z ]\nb = serial a\nc = b\nserial { c; x: b }",
      "z = sleep 1ms; a = [ z; z ]; b = serial a; c = b; serial { c; x: b }"
    ),
    // A label is not a use of a name.
    (
      "a = value 1\nserial { a: value 2; b: value 3 after a }",
      "serial { a: value 2; b: value 3 after a }"
    ),
    // The name keeps the meaning that it had where it was used.
    (
      "job = [ a: value 1 ]\nx = serial job\njob = [ b: value 2 ]\ngraph { x; job }",
      "job = [ a: value 1 ]; x = serial job; job = [ b: value 2 ]; graph { x; job }"
    ),
    (
      "job = [ a: value 1 ]\nx = serial job\njob = [ b: value 2 ]\nx",
      "job = [ a: value 1 ]; x = serial job; x"
    ),
    (
      "job = [ a: value 1 ]\njob = [ job; b: value 2 ]\njob = [ job; c: value 3 ]\nserial job",
      "job = [ a: value 1 ]; job = [ job; b: value 2 ]; job = [ job; c: value 3 ]; serial job"
    ),
    // In a comparison, each pattern gets the list that is written before `under`.
    (
      "job = [ a: value 1 ]\ncompare job under serial, graph(width: 2)",
      "job = [ a: value 1 ]; graph(width: 2) job"
    ),
    ("compare [ a: value 1; b: value 2 ] under serial", "serial [ a: value 1; b: value 2 ]"),
    ("page = value 1\ncompare page under serial", "page = value 1; serial page"),
  ])
  func `a script contains exactly the definitions that it uses`(_ text: String, _ script: String) {
    #expect(Self.script(text) == script)
    expectTheSame(text)
  }

  @Test(arguments: [
    #"x = value "a \"quoted\" text; with # and } in it\n, a line and a \\"; serial { x }"#,
    #"serial { "a\nb": value "\u{e9}\t"; c: value 1 after "a\nb" }"#,
    "x = graph(\n  width: 2 # two\n) { value \"né\" }; y = value \"1\r2\"; serial { x; y }",
    "x = animate(for: 3ms, curve: (0.25,0.1,0.25,1)); serial { x }",
    "a = [ 2 * value 1 ]; p = sleep 1ms; b = [ a; p; 3 * p; z: value 3 after a ]; graph { b with priority: 3; y: p after b }",
    "a = [ x: value 1 after y ]; graph { a; y: value 2 }",
    "s1 = serial { value 1 }; s2 = serial { s1; s1; a: s1 }; serial { s2; 2 * s2 }",
    "a = value 1; b = a; a = [ b ]; b = [ a ]; a = b; serial { a }",
  ])
  func `a definition keeps its meaning in the script`(_ text: String) { expectTheSame(text) }

  /// Names are bound again and again to lists and steps. Each use keeps the meaning that it had at its place.
  @Test(arguments: 0..<300)
  func `any mixture of definitions keeps its meaning in the script`(_ seed: Int) {
    var generator = Generator(state: UInt64(seed))
    expectTheSame(generator.script())
  }

  @Test func `a step whose script would be too long for a line has none`() throws {
    let text = String(repeating: "x", count: Source.longestLine / 2)
    let lines = "a = value \"\(text)\"\nb = value \"\(text)\"\n"
    let one = try #require(Composition(lines + "serial { a }").composed.last)
    #expect(one.script == "a = value \"\(text)\"; serial { a }")
    let both = try #require(Composition(lines + "serial { a; b }").composed.last)
    #expect(both.script == nil)
  }

  /// Composes the script again. The composition must be the same, and so must its script.
  private func expectTheSame(
    _ text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    let original = Composition(text)
    #expect(original.findings == [], "\(text)", sourceLocation: sourceLocation)
    guard let composed = original.composed.last, let script = composed.script else {
      Issue.record("no script of \(text)", sourceLocation: sourceLocation)
      return
    }
    #expect(!script.contains("\n"), sourceLocation: sourceLocation)
    let again = Composition(script)
    #expect(again.findings == [], "\(text)\n\(script)", sourceLocation: sourceLocation)
    #expect(again.outline == original.outline, "\(text)\n\(script)", sourceLocation: sourceLocation)
    #expect(again.composed.last?.script == script, sourceLocation: sourceLocation)
  }
}

/// Makes scripts in which four names are bound again and again.
private struct Generator {
  var state: UInt64
  var lists: Set<String> = []
  var steps: Set<String> = []
  var marks = 0

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  mutating func script() -> String {
    var lines: [String] = []
    for _ in 0..<(3 + next(8)) {
      let name = ["a", "b", "c", "d"][next(4)]
      if next(2) == 0 {
        lines.append("\(name) = [ \(body()) ]")
        lists.insert(name)
        steps.remove(name)
      } else {
        lines.append("\(name) = serial { \(body()) }")
        steps.insert(name)
        lists.remove(name)
      }
    }
    return lines.joined(separator: "\n") + "\nserial { \(body()) }"
  }

  /// Steps with unique labels, so that an outline distinguishes two meanings of a name.
  private mutating func body() -> String {
    var parts: [String] = []
    let known = (lists.sorted() + steps.sorted()).filter { _ in next(2) == 0 }
    for name in known {
      // The same list twice among the steps would give duplicate labels.
      parts.append(lists.contains(name) ? "serial \(name)" : name)
    }
    marks += 1
    parts.append("m\(marks): value \(marks)")
    if let list = lists.sorted().first, next(3) == 0 {
      parts.append("inner-\(marks): serial { \(list) }")
    }
    return parts.joined(separator: "; ")
  }
}
