import Testing

@testable import PluginLoading

@Suite struct PluginFunctionTests {
  @Test(arguments: [
    ("Swift_0a.Store.value(key: Swift.String) async -> Swift.Int", "Store.value"),
    (
      "(1) suspend resume partial function for Swift_0a.Store.value() async throws -> Swift.Int",
      "Store.value"
    ),
    ("static Swift_0a.Store.make() -> Swift_0a.Store", "Store.make"),
    ("Swift_0a.Store.count.getter : Swift.Int", "Store.count"),
    ("closure #1 @Sendable () async -> () in Swift_0a.twice<A>(A) -> A", "twice"),
    ("closure #1 () async throws -> Swift.Int in Swift_0a.swiftBlock1(X) async throws -> X", nil),
    ("", nil),
  ])
  func `a symbol is shortened to the function that a person has written`(
    _ symbol: String, _ name: String?
  ) {
    #expect(PluginFunction(demangled: symbol, in: "").name == name)
  }
}
