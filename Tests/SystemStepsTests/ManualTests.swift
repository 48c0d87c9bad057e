import AsyncPatterns
import SystemSteps
import Testing

@Suite struct ManualTests {
  @Test func `the kinds of steps are those of the script language`() {
    let kinds = StepKind.system { _ in }
    #expect(kinds.map(\.manual.name) == ["sh", "read", "write", "print"])
    for kind in kinds {
      #expect(!kind.manual.examples.isEmpty)
      #expect(kind.manual.clocks.contains(.virtual) == (kind.manual.name == "print"))
    }
  }

  @Test(arguments: [("sh", "command", "a\0b"), ("read", "path", ""), ("write", "path", "a\0b")])
  func `a value that the system cannot take is refused before it runs`(
    name: String, parameter: String, value: String
  ) throws {
    let kind = try #require(StepKind.system { _ in }.first { $0.manual.name == name })
    #expect {
      try kind.make(name, [parameter: .string(value)])
    } throws: {
      ($0 as? ArgumentError)?.parameter == parameter
    }
  }

  @Test(arguments: [
    (["text": .string("shown")] as Arguments, "shown"),
    (["text": .integer(42)] as Arguments, "42"), ([:] as Arguments, "the input"),
  ])
  func `print shows a text and passes its input on`(
    arguments: Arguments, shown: String
  ) async throws {
    let texts = Locked<[String]>([])
    let kind = try #require(
      StepKind.system { text in texts.withLock { $0.append(text) } }.last)
    let step = try kind.make("print", arguments)
    #expect(try await run(step, input: .string("the input")).get() == .string("the input"))
    #expect(texts.withLock { $0 } == [shown])
  }
}
