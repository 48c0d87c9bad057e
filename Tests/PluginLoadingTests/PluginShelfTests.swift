import AsyncPatterns
import Testing

@testable import PluginLoading

private struct Stub: AsyncPattern {
  static var manual: Manual { Manual(name: "stub", summary: "") }
  init(_ arguments: Arguments) throws {}
  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) { completion(.success(input)) }
}

struct PluginShelfTests {
  private func plugin(_ name: String, from path: String) -> LoadedPlugin {
    LoadedPlugin(
      name: name, summary: "", patterns: [],
      origin: PluginOrigin(name: name, kind: .file, path: path),
      object: path + ".so", generation: 0, diagnostics: "")
  }

  private func patterns(_ names: String...) -> [(name: String, type: any AsyncPattern.Type)] {
    names.map { ($0, Stub.self) }
  }

  @Test func `patterns are added and removed with their plugin`() throws {
    var shelf = PluginShelf()
    _ = try shelf.put(plugin("A", from: "/a"), patterns: patterns("a", "a.b"))
    _ = try shelf.put(plugin("B", from: "/b"), patterns: patterns("b"))
    #expect(shelf.patterns.keys.sorted() == ["a", "a.b", "b"])
    #expect(shelf.owner(of: "a.b")?.name == "A")
    shelf.remove("A")
    #expect(shelf.patterns.keys.sorted() == ["b"])
    #expect(shelf.plugins.map(\.name) == ["B"])
  }

  @Test func `a plugin with a pattern of another plugin is refused as a whole`() throws {
    var shelf = PluginShelf()
    _ = try shelf.put(plugin("A", from: "/a.swift"), patterns: patterns("one"))
    let error = #expect(throws: PluginError.self) {
      try shelf.put(plugin("B", from: "/b.swift"), patterns: patterns("two", "one"))
    }
    #expect(error?.kind == .conflict)
    for part in ["A (/a.swift)", "B (/b.swift)", "“one”", "Unload A first"] {
      #expect(error?.message.contains(part) == true)
    }
    #expect(shelf.patterns.keys.sorted() == ["one"])
    #expect(shelf.plugin(named: "B") == nil)
  }

  @Test func `two plugins with one name are refused`() throws {
    var shelf = PluginShelf()
    _ = try shelf.put(plugin("A", from: "/a"), patterns: [])
    let error = #expect(throws: PluginError.self) {
      try shelf.put(plugin("A", from: "/b"), patterns: [])
    }
    #expect(error?.kind == .conflict)
  }

  @Test func `a plugin from the same place replaces the old one, even under another name`() throws {
    var shelf = PluginShelf()
    #expect(try shelf.put(plugin("A", from: "/a"), patterns: patterns("a", "b")).generation == 1)
    #expect(try shelf.put(plugin("Z", from: "/a"), patterns: patterns("b", "c")).generation == 2)
    #expect(shelf.plugins.map(\.name) == ["Z"])
    #expect(shelf.patterns.keys.sorted() == ["b", "c"])
    shelf.remove("Z")
    #expect(try shelf.put(plugin("A", from: "/a"), patterns: []).generation == 3)
  }

  @Test func `a refused replacement keeps the old plugin`() throws {
    var shelf = PluginShelf()
    _ = try shelf.put(plugin("A", from: "/a"), patterns: patterns("a"))
    _ = try shelf.put(plugin("B", from: "/b"), patterns: patterns("b"))
    #expect(throws: PluginError.self) {
      try shelf.put(plugin("A", from: "/a"), patterns: patterns("b"))
    }
    #expect(shelf.owner(of: "a")?.generation == 1)
    #expect(shelf.owner(of: "b")?.name == "B")
  }

  @Test(arguments: [
    (["serial", "serial.semaphore", "gcd.task-group", "a_1"], nil),
    (["1a"], PluginError.Kind.badPlugin), (["a..b"], .badPlugin), (["a."], .badPlugin),
    ([""], .badPlugin), (["a b"], .badPlugin), (["naïve"], .badPlugin),
    (["a", "b", "a"], .conflict), (["sleep"], .conflict),
  ])
  func `pattern names must be valid in the language`(names: [String], kind: PluginError.Kind?) {
    var found: PluginError.Kind?
    do throws(PluginError) {
      try PatternNames.check(names, of: plugin("A", from: "/a"), reserved: ["sleep": "a step"])
    } catch {
      found = error.kind
    }
    #expect(found == kind)
  }

  @Test(arguments: [("A", true), ("alias", true), ("b", false)])
  func `a plugin is known by its own name and by the name in its origin`(
    name: String, isKnown: Bool
  ) throws {
    var shelf = PluginShelf()
    var plugin = plugin("A", from: "/alias.swift")
    plugin.origin.name = "alias"
    _ = try shelf.put(plugin, patterns: [])
    #expect((shelf.plugin(named: name) != nil) == isKnown)
  }
}
