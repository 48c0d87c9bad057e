import Testing

/// `playground plugin check` checks the patterns of a plugin against the laws.
@Suite struct PluginCheckTests {
  @Test func `a module that matches its manuals passes`() async throws {
    let outcome = try await PlaygroundHome().run(["plugin", "check", "SerialQueue"])
    #expect(outcome.code == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(
      lines.map { $0.first } == [
        "pattern", "serial", "serial.semaphore", "serial.chain", "serial.nested", "animate",
        "keyframes",
      ])
    #expect(outcome.output.contains("on purpose"))
    #expect(!outcome.output.contains("BROKEN"))
    #expect(outcome.errors.contains("checking serial (1 of 6)"))
  }

  @Test func `a broken plugin in source form is found`() async throws {
    let home = try PlaygroundHome()
    try home.write(Self.swallowing, to: "Swallowing.swift")
    let outcome = try await home.run(["plugin", "check", "./Swallowing.swift"])
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.contains("BROKEN"))
    #expect(
      outcome.output.contains(
        "swallowing: delivers-failure\n  “a” failed, but the pattern succeeded"))
    #expect(outcome.output.contains("fails (“a” fails)"), "it tells what happened")
    #expect(outcome.output.contains("schedule: 4 workers"))
  }

  @Test func `every law has a JSON record`() async throws {
    let home = try PlaygroundHome()
    try home.write(Self.swallowing, to: "Swallowing.swift")
    let outcome = try await home.run(["--json", "plugin", "check", "./Swallowing.swift", "GCD"])
    #expect(outcome.code == 1, "\(outcome)")
    let records = try outcome.records("law")
    #expect(try records.count == outcome.records().count, "nothing else on standard output")
    let swallowing = records.filter { $0.string("pattern") == "swallowing" }
    #expect(swallowing.count == 7)
    let broken = swallowing.filter { $0.string("verdict") == "broken" }
    #expect(broken.map { $0.string("law") } == ["delivers-failure"])
    #expect(broken.first?.string("plugin") == "Swallowing")
    #expect(broken.first?.string("detail") == "“a” failed, but the pattern succeeded")
    #expect(broken.first?.string("schedule") == "4 workers")
    let kept = try #require(swallowing.first { $0.string("verdict") == "kept" })
    #expect(kept.isNull("detail") && kept.isNull("schedule"))
    let live = records.filter { $0.string("pattern") == "gcd.group" }
    #expect(live.count == 7)
    #expect(live.allSatisfy { $0.string("verdict") == "skipped" })
    #expect(live.first?.string("detail") == "it does not run on the virtual clock")
  }

  @Test func `the patterns of SwiftConcurrency match their manuals`() async throws {
    let outcome = try await PlaygroundHome().run(
      ["--set", "width=80", "plugin", "check", "SwiftConcurrency"])
    #expect(outcome.code == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first?.split(separator: " ") == ["law", "swift.sequence", "swift.taskgroup"])
    #expect(lines.allSatisfy { $0.count <= 80 }, "a narrow window has laws by patterns")
  }

  @Test func `the patterns of OperationGraph match their manuals`() async throws {
    let outcome = try await PlaygroundHome().run(["plugin", "check", "OperationGraph"])
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `a missing plugin or subcommand is an error`() async throws {
    let home = try PlaygroundHome()
    for words in [["./Nowhere.swift"], ["SerialQueu"], []] {
      let outcome = try await home.run(["plugin", "check"] + words)
      #expect(outcome.code == 2, "\(words): \(outcome)")
      #expect(outcome.errors.hasPrefix("error: "), "\(outcome)")
      #expect(outcome.output.isEmpty)
    }
    let outcome = try await home.run(["plugin", "chekc", "SerialQueue"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("there are “plugin build” and “plugin check”"))
  }

  /// A plugin whose pattern ignores a failure and continues.
  private static let swallowing = """
    import AsyncPatterns

    public struct Swallowing: Plugin {
      public static let name = "Swallowing"
      public static let summary = "Continues after a failure."
      public static let patterns: [any AsyncPattern.Type] = [SwallowingPattern.self]
    }

    struct SwallowingPattern: AsyncPattern {
      static let manual = Manual(name: "swallowing", summary: "Continues after a failure.")
      init(_ arguments: Arguments) {}

      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        guard let first = steps.first else { return completion(.success(input)) }
        guard !scope.isCancelled else { return completion(.failure(CancellationError())) }
        scope.start(first, input: input) { result in
          let value = (try? result.get()) ?? input
          start(Array(steps.dropFirst()), input: value, in: scope, completion: completion)
        }
      }
    }
    """
}
