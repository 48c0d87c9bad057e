import SwiftScanning
import Testing

@Suite struct SwiftExtentTests {
  /// The text up to the end that was found; nil if no end was found.
  private static func block(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    return SwiftExtent.endOfBlock(in: bytes, at: 0)
      .map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }

  private static func declaration(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    return SwiftExtent.endOfDeclaration(in: bytes, from: 0)
      .map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }

  @Test(arguments: [
    "{}", "{ a { b } c }", #"{ print("}") }"#, #"{ "\(f("}"))}" }"#, "{ // }\n }",
    "{ /* } /* } */ } */ }", ##"{ #"}"}"# }"##, "{ \"\"\"\n}\n\"\"\" }", "{ x.matches(/}/) }",
    "{ #/}/# }", "{ a / b } ", "{ `}` }",
  ])
  func `a block ends at its own brace`(_ text: String) {
    let end = text.lastIndex(of: "}")!
    #expect(Self.block(text + "; }") == String(text[...end]))
  }

  @Test(arguments: ["{", "{ {}", #"{ "}" "#, "{ // }", "{ /* } ", "{ \"\"\" } \""])
  func `an open block has no end`(_ text: String) {
    #expect(Self.block(text) == nil)
  }

  @Test(arguments: [
    "actor Cache { var a = 1 }", "func f() {}", "func f()\n  async throws -> Int\n{\n  1\n}",
    "@MainActor func f() {}", "@MainActor\nfinal class A: B {\n}", "import Foundation",
    "let a = 1", "let a = [\n1,\n2\n]", "let a = f()\n  .g()\n  .h { }", "let a =\n  1",
    "var a: Int { 5 }", "typealias A = [String: Int]", "extension Int { func f() {} }",
    "func f(_ g: () -> Int = { 1 }) { }", "public struct A<B> where B: C { }",
    "enum A { case a, b }  // why", "let a: Int?", "infix operator **",
    "let a = x +\n  y", "class func f() {}", "let a = 1 // one",
  ])
  func `a declaration ends with its body or its line`(_ text: String) {
    #expect(Self.declaration(text) == text)
    #expect(Self.declaration(text + "\nserial { }") == text)
    if !text.contains("//") {
      #expect(Self.declaration(text + "; b") == text)
      #expect(Self.declaration(text + " ") == text)
    }
  }

  /// A scanner that reads the same text again and again would take hours here.
  @Test(arguments: ["#", #"(\/"#, #"/\/"#, "##/ "])
  func `reading takes a time in proportion to the length`(_ part: String) {
    let text = "{" + String(repeating: part, count: 200_000)
    #expect(Self.block(text + "\n}") == (part == "##/ " ? nil : text + "\n}"))
  }

  @Test(arguments: [
    "actor Cache", "func f()", "func f() {", "let a = [", "let a =", "@MainActor", "struct A {\n",
    "let a = \"\"\"\n", "let a = 1 /* ",
  ])
  func `an open declaration has no end`(_ text: String) {
    #expect(Self.declaration(text) == nil)
  }
}
