public import AsyncPatterns
public struct LoadedPlugin: Sendable { public var name: String; public var summary: String; public var patterns: [any AsyncPattern.Type] }
public struct PluginError: Error { public var message: String; public var output = ""; public var suggestions: [String] = [] }
public enum PluginProbe { public static func main(_ a: [String]) -> Int32? { nil } }
public struct PluginSearchPath: Sendable { public init(folders: [String]) {} }
@MainActor public final class PluginLibrary { public init(searchPath: PluginSearchPath) {}
 public var loaded: [LoadedPlugin] = []
 public func available() -> [String] { [] }
 public func load(_ w: String) async throws(PluginError) -> LoadedPlugin { throw PluginError(message: "") }
 public func loadAll() async -> [PluginError] { [] }
 public func reload(_ w: String) async throws(PluginError) -> LoadedPlugin { throw PluginError(message: "") }
 public func unload(_ w: String) throws(PluginError) {}
}
