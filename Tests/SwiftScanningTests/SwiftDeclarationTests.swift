import SwiftScanning
import Testing

@Suite struct SwiftDeclarationTests {
  private static func declaration(_ code: String) -> SwiftDeclaration {
    SwiftDeclaration(SwiftPiece(file: "prompt", line: 1, column: 1, code: code))
  }

  @Test(arguments: [
    ("actor Cache { }", "actor", ["Cache"]), ("final class A<B>: C { }", "class", ["A"]),
    ("@MainActor func load(_ x: Int) { let y = 1 }", "func", ["load"]),
    ("let a = 1, b = [2, 3]", "let", ["a", "b"]), ("let (a, b) = (1, 2)", "let", ["a", "b"]),
    ("var a: Int { 5 }", "var", ["a"]), ("import Foundation", "import", ["Foundation"]),
    ("extension Int { func f() {} }", "extension", []), ("typealias A = B", "typealias", ["A"]),
    ("func == (a: A, b: A) -> Bool { true }", "func", ["=="]), ("enum A { case b }", "enum", ["A"]),
    ("func `in`() {}", "func", ["`in`"]),
    ("@available(*, deprecated) struct A {}", "struct", ["A"]),
  ])
  func `the kind and the names are read`(_ code: String, _ kind: String, _ names: [String]) {
    let declaration = Self.declaration(code)
    #expect(declaration.kind == kind)
    #expect(declaration.names == names)
  }

  @Test(arguments: [
    ("actor A {}", "struct A {}", true), ("func f() {}", "func f() -> Int { 1 }", true),
    ("actor A {}", "actor B {}", false), ("let a = 1, b = 2", "let b = 3", true),
    ("extension A { func f() {} }", "extension A { func g() {} }", false),
    ("extension A { func f() { let a = 1 } }", "extension A { func g() { let a = 1 } }", false),
    ("extension A { func f() {} }", "extension A { var f: Int { 1 }; func g() {} }", true),
    ("extension A { init(a: Int) {} }", "extension A { init(a: Int) { } }", true),
    ("extension A { struct B {} }", "extension A { class B {} }", true),
    (
      "extension A { static func +(a: A, b: A) -> A { a } }",
      "extension A { static func + (a: A, b: A) {} }", true
    ),
    ("extension A: B {}", "extension A: B { func f() {} }", true),
    ("extension A where E: B { func f() {} }", "extension A where E: B { func g() {} }", false),
    ("infix operator +++", "func +++(a: Int, b: Int) -> Int { a }", false),
    ("infix operator +++", "prefix operator +++", false),
    ("infix operator +++", "infix operator +++: AdditionPrecedence", true),
    ("func +++(a: Int, b: Int) -> Int { a }", "func +++ (a: Int, b: Int) -> Int { b }", true),
    ("extension A {}", "extension A: B {}", false), ("actor A {}", "extension A {}", false),
    ("import A", "struct A {}", false),
  ])
  func `a declaration replaces one of the same name`(
    _ earlier: String, _ later: String, _ replaces: Bool
  ) {
    #expect(Self.declaration(later).replaces(Self.declaration(earlier)) == replaces)
  }

  @Test(arguments: [
    ("import func Foundation.sqrt", "import func Foundation.sqrt"), ("import A.B", "import A.B"),
    ("public  actor A { }", "actor A"), ("let a = 1, b = 2", "let a b"),
    ("extension  Int: A { }", "extension Int: A"),
  ])
  func `the title is what a person would call it`(_ code: String, _ title: String) {
    #expect(Self.declaration(code).title == title)
  }

  @Test func `code is put where it was typed`() {
    let piece = SwiftPiece(file: "a\"b", line: 7, column: 5, code: "x\ny")
    #expect(
      piece.located == "#sourceLocation(file: \"a_b\", line: 7)\n    x\ny\n#sourceLocation()\n")
  }
}
