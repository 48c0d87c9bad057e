import Testing

/// Which paths name a step. A trace of the composition uses the same paths.
@Suite struct PathTests {
  static let script = """
    job = [ fetch: sleep 1ms; parse: work 1ms ]
    graph { a: serial job; b: serial { x: serial { y: value 1 }; "p/q": value 2 }; job }
    """

  @Test(arguments: [
    (["a"], true), (["a", "fetch"], true), (["a", "job", "fetch"], true), (["fetch"], true),
    (["job", "fetch"], true), (["b", "y"], true), (["b", "x", "y"], true), (["x", "y"], true),
    (["p/q"], true), (["p", "q"], true), (["b", "q"], true), (["b/p", "q"], true),
    (["b", "fetch"], false), (["y", "x"], false), (["x", "x", "y"], false), (["job"], false),
    (["fetch", "a"], false), (["p"], false), (["a", "a"], false), ([], false), ([""], false),
  ])
  func `a step is found by its labels and the names around it`(
    _ path: [String], _ expected: Bool
  ) throws {
    let composed = try #require(Composition(Self.script).composed.last)
    #expect(composed.contains(path) == expected)
  }

  @Test func `a step alone has the path of its label`() throws {
    let composed = try #require(Composition("sleep 1ms").composed.last)
    #expect(composed.contains(["sleep"]))
    #expect(!composed.contains(["slee"]))
    #expect(composed.paths() == [["sleep"]])
  }

  @Test func `every path is listed, up to a limit`() throws {
    let composed = try #require(Composition(Self.script).composed.last)
    #expect(
      composed.paths().map { $0.joined(separator: " ") } == [
        "a", "a job fetch", "a job parse", "b", "b x", "b x y", "b p/q", "job fetch", "job parse",
      ])
    #expect(composed.paths(limit: 2).count == 2)
  }

  /// A million times a million steps. Their common part is checked only once.
  @Test func `copies are searched once`() throws {
    let composed = try #require(
      Composition("serial { 1000 * serial { 1000 * serial { 1000 * value 1 } } }").composed.last)
    #expect(composed.contains(["serial-7", "serial-1000", "value-1000"]))
    #expect(!composed.contains(["value-1001"]))
    #expect(composed.paths(limit: 10).count == 10)
  }
}
