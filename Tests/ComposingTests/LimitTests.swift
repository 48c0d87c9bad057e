import AsyncPatterns
import Composing
import Foundation
import PlaygroundLanguage
import Testing

/// Large compositions. Each is composed or refused as too large, without a crash and without hanging.
@Suite struct LimitTests {
  static let tooMany =
    "a list can have at most 1 000 000 steps → put a pattern around some of them: serial { … }"

  @Test func `named lists multiply up to the limit of steps`() {
    var text = "l0 = [ 500001 * value 1 ]\n"
    for level in 1...40 { text += "l\(level) = [ l\(level - 1); l\(level - 1) ]\n" }
    let composition = Composition(text)
    #expect(composition.findings == ["2:12 \(Self.tooMany)"])
  }

  @Test func `counts add up to the limit of steps`() {
    let composition = Composition("l = [ 2 * value 1 ]\nserial { 999999 * value 2; l }")
    #expect(composition.findings == ["2:28 \(Self.tooMany)"])
  }

  @Test func `an empty list that is repeated stays empty`() {
    var text = "l0 = []\n"
    for level in 1...60 {
      text += "l\(level) = [ l\(level - 1) after x; l\(level - 1) after x ]\n"
    }
    #expect(Composition(text + "serial { x: value 1; l60 }").outline == "serial{x:value}")
  }

  @Test func `the value of a name is composed once`() throws {
    var text = "s0 = serial { value 1 }\n"
    for level in 1...60 {
      text += "s\(level) = serial { a: s\(level - 1); b: s\(level - 1); c: s\(level - 1) }\n"
    }
    let composition = Composition(text + "s60")
    #expect(composition.findings == [])
    let composed = try #require(composition.composed.last)
    #expect(composed.contains(["a", "b", "c", "value"]))
  }

  @Test func `the copies of a count are composed once`() {
    let composition = Composition("serial { 20000 * serial { 20000 * value 1 } }")
    #expect(composition.findings == [])
    #expect(composition.composed.last?.step.steps.count == 20_000)
    #expect(composition.composed.last?.step.steps.last?.steps.count == 20_000)
  }

  /// Ten thousand steps, each after the previous one.
  @Test func `a chain of ten thousand steps composes`() throws {
    let steps = (1..<10_000).map { "s\($0): value 1 after s\($0 - 1)\n" }.joined()
    let composition = Composition("serial {\ns0: value 0\n\(steps)}")
    #expect(composition.findings == [])
    #expect(composition.composed.last?.step.steps.last?.predecessors == ["s9998"])
  }

  @Test func `names for names are nested up to the limit`() {
    func chain(_ length: Int) -> Composition {
      let lines = (1...length).map { "s\($0) = s\($0 - 1)\n" }.joined()
      return Composition("s0 = value 1\n\(lines)")
    }
    #expect(chain(199).findings == [])
    #expect(
      chain(1000).findings.first
        == "202:8 the steps of this name are nested more than 200 deep")
    #expect(chain(1000).findings.count == 1)
  }

  @Test func `patterns in names are nested up to the limit`() {
    func tower(_ height: Int) -> [String] {
      var text = "s1 = serial { value 1 }\n"
      for level in 2...height { text += "s\(level) = serial { s\(level - 1) }\n" }
      return Composition(text).findings
    }
    #expect(tower(200) == [])
    #expect(tower(1000) == ["201:17 the steps of this name are nested more than 200 deep"])
  }

  /// A composition that is valid where it is bound may be nested too deep where it is used.
  @Test func `the depth of a named step counts where the name is used`() {
    let text =
      "s = " + String(repeating: "serial { ", count: 150) + "value 1"
      + String(repeating: " }", count: 150) + "\nserial { s; x: "
      + String(repeating: "serial { ", count: 60) + "s" + String(repeating: " }", count: 60) + "}"
    #expect(
      Composition(text).findings == ["2:556 the steps of this name are nested more than 200 deep"]
    )
  }

  /// 200 nested patterns, each behind a name: the deepest recursion of composing.
  @Test func `the deepest nesting fits on the stack of an ordinary thread`() async {
    var text = "s1 = serial { value 1 }\n"
    for level in 2...200 { text += "s\(level) = serial { s\(level - 1) }\n" }
    text += "s200\n"
    text += String(repeating: "serial { ", count: 200) + String(repeating: " }", count: 200)
    let script = text
    let (findings, runs): ([String], Int) = await withCheckedContinuation { continuation in
      let thread = Thread {
        let composition = Composition(script)
        continuation.resume(returning: (composition.findings, composition.composed.count))
      }
      thread.stackSize = 6 * 1024 * 1024
      thread.start()
    }
    #expect(findings == [])
    #expect(runs == 2)
  }
}
