import Testing

@testable import PluginLoading

struct PluginDeclarationsTests {
  private func declarations(_ texts: String...) -> PluginDeclarations {
    PluginDeclarations(in: texts.map { Array($0.utf8) })
  }

  @Test(arguments: [
    ("struct A: Plugin {}", ["A"]),
    ("enum A: Sendable, Plugin {}", ["A"]),
    ("public final class A: AsyncPatterns.Plugin {}", ["A"]),
    ("actor A: Plugin & Sendable {}", ["A"]),
    ("struct A {}\nextension A: Plugin {}", ["A"]),
    ("struct A: Plugin {}\nextension A: Sendable {}", ["A"]),
    ("struct A: Plugin {}\nextension A: Plugin {}", ["A"]),
    ("extension Outer.Inner: @retroactive Plugin {}", ["Outer.Inner"]),
    ("enum A { struct B { enum C: Plugin {} } }", ["A.B.C"]),
    ("extension A { struct B: Plugin {} }", ["A.B"]),
    ("enum A { static func f() { if true {} }; struct B: Plugin {} }", ["A.B"]),
    ("struct A<T>: Sequence where T: Plugin {}", []),
    ("struct A<T: Plugin> {}", []),
    ("func f<T: Plugin>(_ t: T) { struct Local: Plugin {} }", []),
    ("let x: any Plugin.Type = y", []),
    ("protocol P: Plugin {}\nenum A: P {}", ["A"]),
    ("enum A: Q {}\nprotocol Q: P {}\nprotocol P: Plugin {}", ["A"]),
    ("protocol P: Plugin {}", []),
    ("struct `enum`: Plugin {}", ["`enum`"]),
    ("enum A: Plugin { class func f() {}; class var x: Int { 1 } }", ["A"]),
    ("enum A: Plugin { static let c = B.class; static let s = x.struct }", ["A"]),
    ("#if os(Linux)\nenum A: Plugin {}\n#else\nenum A: Plugin {}\n#endif", ["A"]),
    ("enum A: Plugin {}\nstruct B: Plugin {}", ["A", "B"]),
    ("enum A:Plugin{}", ["A"]),
    ("enum A\n  :\n  Plugin\n{\n}", ["A"]),
    ("", []),
  ])
  func `it finds the types that conform`(text: String, names: [String]) {
    #expect(declarations(text).conformers.map(\.name) == names)
  }

  @Test(arguments: [
    "// enum B: Plugin {}",
    "/* enum B: Plugin {} /* nested */ enum C: Plugin {} */",
    #"let s = "enum B: Plugin {}""#,
    #"let s = "a \" enum B: Plugin {}""#,
    #"let s = "\(f("enum B: Plugin {}")) } enum C: Plugin {}""#,
    "let s = \"\"\"\n  \" enum B: Plugin {}\n  \"\"\"",
    ##"let s = #"a " enum B: Plugin {} \(x)"#"##,
    "let s = ##\"\"\"\n  \"\"\" enum B: Plugin {} \"\"\"#\n  \"\"\"##",
    "let r = /enum B: Plugin {} \" /",
    "let r = #/ enum B: Plugin {} \" /#",
    "let q = a / b; let p = c / d",
    #"let s = "{ {" + "}""#,
  ])
  func `it ignores text that only looks like a declaration`(text: String) {
    #expect(declarations(text + "\nenum A: Plugin {}").conformers.map(\.name) == ["A"])
  }

  @Test(arguments: [
    "\"", "\"\"\"", "#\"", "/*", "\"\\(", "\"\\", "`", "enum", "enum A", "enum A:",
    "enum A: Plugin",
    "struct A<", "}}}", "#/", "/", "extension A.", "@_cdecl(", "\u{fffd}\0{",
  ])
  func `a text truncated at any point is read to its end`(text: String) {
    #expect(declarations(text).conformers.isEmpty)
  }

  @Test func `deep nesting needs no recursion`() {
    let text = String(repeating: "enum A {", count: 20_000)
    #expect(declarations(text).conformers.isEmpty)
  }

  @Test(arguments: [
    (#"@_cdecl("async_pattern_plugin_X") public func f() {}"#, ["async_pattern_plugin_X"]),
    ("@c(async_pattern_plugin_X) func f() {}", ["async_pattern_plugin_X"]),
    (#"// @_cdecl("async_pattern_plugin_X")"#, []),
    (#"@_cdecl("other") func f() {}"#, []),
  ])
  func `it finds existing entry points`(text: String, names: [String]) {
    #expect(declarations(text).entryPoints == names)
  }

  @Test func `one plugin over several files is one plugin`() throws {
    let found = declarations("struct A {}", "extension A: Plugin {}", "struct B {}")
    #expect(try found.single(in: "x")?.name == "A")
  }

  @Test func `no entry point is written if the source has its own`() throws {
    let found = declarations(#"enum A: Plugin {}; @_cdecl("async_pattern_plugin_A") func f() {}"#)
    #expect(try found.single(in: "x") == nil)
  }

  @Test(arguments: [
    ("struct A {}", PluginError.Kind.noPlugin, ["“x.swift”", "Add a type"]),
    ("enum A: Plugin {}; enum B { enum C: Plugin {} }", .severalPlugins, ["A, B.C", "Keep one"]),
    ("private enum A: Plugin {}", .noPlugin, ["A", "private", "internal or public"]),
    ("fileprivate enum A { enum B: Plugin {} }", .noPlugin, ["A.B", "private"]),
    ("private struct A {}; extension A: Plugin {}", .noPlugin, ["A", "private"]),
    ("struct A<T>: Plugin {}", .noPlugin, ["A", "generic"]),
  ])
  func `an error says what is wrong and how to fix it`(
    text: String, kind: PluginError.Kind, parts: [String]
  ) {
    let error = #expect(throws: PluginError.self) {
      try declarations(text).single(in: "“x.swift”")
    }
    #expect(error?.kind == kind)
    for part in parts { #expect(error?.message.contains(part) == true) }
  }

  @Test(arguments: [
    ("SerialQueue", "SerialQueue"), ("my-plugin", "my_plugin"), ("2fast", "_2fast"), ("", "_"),
    ("naïve.x", "na_ve_x"),
  ])
  func `names become identifiers`(name: String, identifier: String) {
    #expect(EntryPoint.identifier(name) == identifier)
  }

  @Test func `the entry point names the type and the symbol`() {
    let text = EntryPoint.source(for: "A.B", name: "http")
    #expect(text.contains(#"@_cdecl("async_pattern_plugin_http")"#))
    #expect(text.contains("{ A.B.describe(to: $0) }"))
    #expect(!text.contains("@testable"))
    #expect(
      EntryPoint.source(for: "A", name: "a", importing: "Pack").contains("@testable import Pack"))
  }
}
