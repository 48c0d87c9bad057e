import Foundation
import TerminalTesting
import Testing

/// `swift DECLARATION`: a declaration that later statements can use.
@Suite struct SwiftDeclarationTests {
  /// A folder with a file to load that declares a type.
  private static func homeWithNumber() throws -> PlaygroundHome {
    let home = try PlaygroundHome()
    try home.write(
      "struct Number { let value = 1 }\n// step\nfunc one() -> Int { Number().value }",
      to: "One.swift")
    return home
  }

  @Test func `a declaration is used by later blocks and declarations, and keeps its state`()
    async throws
  {
    let outcome = try await PlaygroundHome().records(
      """
      swift actor Counter { var count = 0; func add() -> Int { count += 1; return count } }
      swift let counter = Counter()
      swift { await counter.add() }
      swift func addTwice() async -> Int { _ = await counter.add(); return await counter.add() }
      swift { await addTwice() }
      expect value == 3
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `declaring a name again replaces it in all code that uses it`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      swift struct Size { let width = 1 }
      swift func width() -> Int { Size().width }
      swift { width() }
      expect value == 1
      swift struct Size { let width = 2 }
      swift { width() + Size().width }
      expect value == 4
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `a declaration that no longer compiles is removed, with the reason`() async throws {
    let home = try PlaygroundHome()
    let terminal = try await PromptTests.open(home)
    try await terminal.type(
      "swift struct Size { let width = 1 }\n", expecting: "declared struct Size")
    try await terminal.expect("\n> ")
    try await terminal.type(
      "swift func width() -> Int { Size().width }\n", expecting: "declared func width")
    try await terminal.expect("\n> ")
    let said = try await terminal.type(
      "swift struct Size { let height = 1 }\n", expecting: "replaced struct Size")
    #expect(said.contains("Removed func width: the new declaration broke it: value of"), "\(said)")
    try await terminal.expect("\n> ")
    try await terminal.type(
      "swift { Size().height }\n", expecting: "swift { Size().height } · success")
    try await terminal.expect("\n> ")
    try await terminal.type("swift { width() }\n", expecting: "cannot find 'width' in scope")
  }

  @Test func `only what no longer compiles is removed, and reported despite a later error`()
    async throws
  {
    let outcome = try await PlaygroundHome().run([
      "--json", "eval",
      """
      swift struct A { let width = 1 }; swift func b() -> Int { A().width }
      swift func c() -> Int { _ = A(); return 3 }
      value 0; swift struct A { let height = 1 }
      swift { c() }; swift { missing() }
      """,
    ])
    #expect(outcome.code == 2, "\(outcome)")
    let errors = try outcome.records("error").compactMap { $0.string("message") }
    #expect(errors.count == 1 && errors.first?.contains("missing") == true, "\(outcome)")
    let text = outcome.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("Removed func b: the new declaration broke it"), "\(outcome)")
    #expect(text.contains("Declare it again."), "\(outcome)")
  }

  @Test func `a type with a private member is replaced, and hides one of a loaded file`()
    async throws
  {
    let home = try Self.homeWithNumber()
    let outcome = try await home.records(
      """
      load ./One.swift
      swift struct Number { private let a = 2; var value: Int { a } }
      swift { Number().value }
      expect value == 2
      swift struct Number { private let a = 3; var value: Int { a } }
      swift { Number().value }
      expect value == 3
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `an extension is replaced, and others of the same type stay`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      swift extension Int { var a: Int { 1 } }; swift struct G { let g = 5 }
      swift extension Int { var b: Int { 20 } }
      swift extension Int { var a: Int { 3 } }
      swift { 0.a + 0.b + G().g }
      expect value == 28
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `an operator is declared, implemented and used`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      swift infix operator +++
      swift func +++ (a: Int, b: Int) -> Int { a + b }
      swift { 1 +++ 2 }
      expect value == 3
      swift func +++ (a: Int, b: Int) -> Int { a * b }
      swift { 1 +++ 2 }
      expect value == 2
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `declarations of several lines are one entry, with Swift's strings and comments`()
    async throws
  {
    let terminal = try await PromptTests.open(PlaygroundHome())
    terminal.type("swift func text() -> String {\n")
    terminal.type("  // a brace: }\n")
    try await terminal.type("  \"}\" }\n", expecting: "declared func text")
    try await terminal.expect("\n> ")
    terminal.type("swift {\n")
    try await terminal.type("text() + text() }\n", expecting: "\"}}\"")
  }

  @Test func `Ctrl-C cancels a compilation`() async throws {
    let home = try PlaygroundHome()
    let started = try NamedPipe(home.workingFolder + "/started")
    let compiler = try await home.writeProgram(
      "#!/bin/sh\necho here > \"$(dirname \"$0\")/started\"\nexec sleep 300\n", to: "swiftc")
    let terminal = try await PromptTests.open(
      home,
      environment: [
        "SWIFTC": compiler, "XDG_CACHE_HOME": home.folder.path + "/cache",
      ])
    // The first compiler is started in the background, to warm up.
    _ = try #require(await started.line())
    terminal.type("swift { 1 }\n")
    _ = try #require(await started.line())
    try await terminal.press(.controlC, expecting: "compiling was cancelled")
    try await terminal.expect("\n> ")
    try await terminal.type("value 1\n", expecting: "value 1 · success")
  }

  @Test func `code that uses a module that is no longer in the cache says so`() async throws {
    let home = try PlaygroundHome()
    let cache = try home.folder.folder("cache")
    let terminal = try await PromptTests.open(home, environment: ["XDG_CACHE_HOME": cache])
    try await terminal.type("swift func one() -> Int { 1 }\n", expecting: "declared func one")
    try await terminal.expect("\n> ")
    for object in try FileManager.default.contentsOfDirectory(
      atPath: cache + "/async-playground/objects")
    {
      try FileManager.default.removeItem(atPath: cache + "/async-playground/objects/" + object)
    }
    try await terminal.type("swift { one() }\n", expecting: "Declare it again")
    try await terminal.expect("\n> ")
    try await terminal.type("swift func one() -> Int { 2 }\n", expecting: "replaced func one")
    try await terminal.expect("\n> ")
    try await terminal.type("swift { one() }\n", expecting: "→ 2")
  }

  @Test func `names of AsyncPatterns can be declared`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      load SerialQueue
      swift { input == Value.none ? 1 : 2 }
      expect value == 1
      swift struct Step { let number: Int }; swift enum Run { case fast }
      swift { Step(number: 3).number }
      expect value == 3
      swift struct Value { let number: Int }
      serial { value 4; swift { Value(number: Int(input)!).number } }
      expect value == 4
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `what a loaded file declares can be used, and hidden by a declaration`() async throws {
    let home = try Self.homeWithNumber()
    let outcome = try await home.records(
      """
      load ./One.swift
      swift { Number().value + 1 }
      expect value == 2
      swift struct Number { let value = 10 }
      swift { Number().value }
      expect value == 10
      one
      expect value == 1
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `modules are imported, even those of this package`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      swift import Foundation
      swift import Promises
      swift { Date(timeIntervalSince1970: 0).timeIntervalSince1970 + sqrt(4) }
      expect value == 2
      swift let kept = Promise<Int, any Error>.self
      swift { String(describing: kept) }
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `an error in a declaration is at its place, and nothing of it is kept`() async throws {
    let outcome = try await PlaygroundHome().records(
      "swift struct A { let a = 1 }; swift struct A {\n  let b: Missing }\nswift { A().b }")
    #expect(outcome.code == 2, "\(outcome)")
    let errors = try outcome.records("error")
    #expect(errors.map { $0.integer("line") } == [2], "\(outcome)")
    #expect(errors.first?.integer("column") == 10)
  }
}
