import SwiftScanning
import Testing

@testable import PluginLoading

@Suite struct DeclarationShelfTests {
  private static func declaration(_ code: String) -> SwiftDeclaration {
    SwiftDeclaration(SwiftPiece(file: "prompt", line: 1, column: 1, code: code))
  }

  private static func shelf(_ codes: String...) -> DeclarationShelf {
    var shelf = DeclarationShelf()
    for (index, code) in codes.enumerated() {
      let change = shelf.change(adding: [declaration(code)])
      shelf.apply(change, compiledTo: "M\(index)")
    }
    return shelf
  }

  @Test func `what uses a replaced declaration is compiled again, also through others`() {
    let shelf = Self.shelf(
      "actor A {}", "func b() { A() }", "func c() { b() }", "func d() {}")
    let change = shelf.change(adding: [Self.declaration("actor A { let x = 1 }")])
    #expect(change.replaced.map(\.title) == ["actor A"])
    #expect(change.dependent.map(\.title) == ["func b", "func c"])
    #expect(change.kept.map(\.module) == ["M3"])
  }

  @Test func `a new declaration leaves the others as they are`() {
    let change = Self.shelf("actor A {}", "func b() { A() }")
      .change(adding: [Self.declaration("func e() { b() }")])
    #expect(change.replaced.isEmpty && change.dependent.isEmpty)
    #expect(change.kept.map(\.module) == ["M0", "M1"])
  }

  @Test func `what uses a member of a replaced extension is compiled again`() {
    let change = Self.shelf("extension Int { func twice() -> Int { 2 } }", "func a() { 1.twice() }")
      .change(adding: [Self.declaration("extension Int { func twice() -> Int { 3 } }")])
    #expect(change.dependent.map(\.title) == ["func a"])
  }

  @Test func `dependent declarations that do not compile are removed`() {
    var shelf = Self.shelf("actor A {}", "func b() { A() }", "func c() { A() }", "func d() {}")
    var change = shelf.change(adding: [Self.declaration("struct A {}")])
    change.dependent.removeFirst()
    shelf.apply(change, compiledTo: "N")
    #expect(shelf.declarations.map(\.title) == ["func d", "func c", "struct A"])
  }

  /// An import of a single declaration hides the old version of that declaration. An extension or an operator cannot be
  /// imported alone, so its old version stays visible while its module is imported.
  @Test(arguments: [
    ("extension Int { func twice() -> Int { 2 } }", "extension Int { func twice() -> Int { 3 } }"),
    ("infix operator +++", "infix operator +++: AdditionPrecedence"),
  ])
  func `a module is left if a declaration without an import of its own is replaced`(
    _ earlier: String, _ later: String
  ) {
    var shelf = Self.shelf("func a() {}")
    let both = [earlier, "struct G {}"].map(Self.declaration)
    shelf.apply(shelf.change(adding: both), compiledTo: "N")
    shelf.apply(
      shelf.change(adding: [Self.declaration("func g() { G() }")]), compiledTo: "O")
    let change = shelf.change(adding: [Self.declaration(later)])
    #expect(change.dependent.map(\.title) == ["struct G", "func g"])
    #expect(change.kept.map(\.module) == ["M0"])
  }

  @Test func `what uses a replaced operator is compiled again`() {
    let change = Self.shelf("infix operator +++", "let a = 1+++2", "let b = 1 ++ 2")
      .change(adding: [Self.declaration("infix operator +++: AdditionPrecedence")])
    #expect(change.dependent.map(\.title) == ["let a"])
  }

  @Test(arguments: [
    ("struct A { private let a = 1 }", "struct"), ("private struct A {}", nil),
    ("fileprivate let a = 1", nil), ("private(set) var a = 1", "var"),
    ("@available(*, deprecated) func f() { }", "func"),
    ("func + (a: A, b: A) -> A { a }", nil),
  ])
  func
    `a private declaration and an operator cannot be imported, but a type with a private member can`(
      _ code: String, _ kind: String?
    )
  {
    #expect(Self.declaration(code).importKind == kind)
  }

  @Test func `later code imports each module once, and each current name`() {
    var shelf = Self.shelf("import Foundation", "actor A {}", "func f() {}")
    shelf.apply(
      shelf.change(adding: [Self.declaration("struct A {}"), Self.declaration("let b = 1")]),
      compiledTo: "N")
    let context = SnippetContext(plugins: ["P"], entries: shelf.entries)
    #expect(context.modules == ["P", "M0", "M2", "N"])
    #expect(context.imports == ["import Foundation"])
    #expect(
      context.scopedImports == [
        "@testable import func M2.f", "@testable import struct N.A", "@testable import let N.b",
      ])
  }

  @Test func `errors of the compiler are read with their notes`() {
    let output = """
      prompt:1:9: warning: old
      prompt:1:9: note: of the warning
      prompt:2:3: error: cannot find 'a' in scope
      some text
      prompt:1:1: note: did you mean 'b'?
      """
    #expect(
      CompilerMessage.errors(in: output) == [
        CompilerMessage(
          file: "prompt", line: 2, column: 3, text: "cannot find 'a' in scope",
          notes: ["did you mean 'b'?"])
      ])
  }
}
