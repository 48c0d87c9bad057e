import Foundation
import Testing

@testable import PluginLoading

struct PluginBuilderTests {
  @Test(arguments: [
    (["PATH": "/none"], "There is no swiftc on the PATH"),
    (["PATH": "/none", "SWIFTC": "/none/swiftc"], "$SWIFTC names “/none/swiftc”"),
    (["PATH": "/bin", "SWIFTC": "no-such-compiler"], "$SWIFTC names “no-such-compiler”"),
    ([:], "There is no swiftc on the PATH"),
  ])
  func `a missing compiler is reported with a fix`(environment: [String: String], part: String) {
    let error = #expect(throws: PluginError.self) {
      try SwiftCompiler.find(environment: environment)
    }
    #expect(error?.kind == .compilerMissing)
    #expect(error?.message.contains(part) == true)
    #expect(error?.message.contains("swift.org/install") == true)
  }

  @Test func `the compiler is the first on the PATH, unless another is named`() throws {
    let folder = try TemporaryFolder()
    for name in ["1/swiftc", "2/swiftc", "2/other"] {
      let file = try folder.write(name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }
    try folder.write("0/swiftc")
    let path = "\(folder.path)/0:\(folder.path)/1:\(folder.path)/2"
    #expect(try SwiftCompiler.find(environment: ["PATH": path]).path == folder.path + "/1/swiftc")
    #expect(
      try SwiftCompiler.find(environment: ["PATH": path, "SWIFTC": "other"]).path
        == folder.path + "/2/other")
  }

  @Test func `an invalid object and an object without an entry point are refused`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("junk.so", "junk")
    let builder = PluginBuilder(host: PluginHost(executable: "/none", cache: folder.path))
    let error = await #expect(throws: PluginError.self) {
      try await builder.build(PluginOrigin(name: "junk", kind: .object, path: path))
    }
    #expect(error?.kind == .unreadable)
    let library = await #expect(throws: PluginError.self) {
      // A file that is a shared object on every Linux.
      try await builder.build(
        PluginOrigin(name: "x", kind: .object, path: Files.resolved("/proc/self/exe")))
    }
    #expect(library?.kind == .missingSymbol)
    #expect(library?.message.contains("async_pattern_plugin_x") == true)
  }

  @Test func `source without the build's modules beside the executable is refused`() async throws {
    let folder = try TemporaryFolder()
    let source = try folder.write("X.swift", "enum X: Plugin {}")
    let builder = PluginBuilder(
      host: PluginHost(executable: folder.path + "/bin/playground", cache: folder.path + "/cache"))
    let error = await #expect(throws: PluginError.self) {
      try await builder.build(PluginOrigin(name: "X", kind: .file, path: source))
    }
    #expect(error?.kind == .notBuilt)
    #expect(error?.message.contains(folder.path + "/bin/Modules") == true)
  }

  @Test func `the target of a package that contains the plugin is found`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Sources/A/a.swift", "struct A {}")
    try folder.write("Sources/B/b.swift", "enum B: Plugin {}")
    func target(_ name: String, _ type: String = "library") -> String {
      """
      {"name":"\(name)","c99name":"\(name)","type":"\(type)","path":"Sources/\(name)",
       "sources":["\(name.lowercased()).swift"]}
      """
    }
    func find(_ targets: String...) throws -> PackageTarget {
      try PackageTarget.withPlugin(
        in: "{\"name\":\"p\",\"targets\":[\(targets.joined(separator: ","))]}", root: folder.path,
        package: "package p")
    }
    #expect(
      try find(target("A"), target("B")) == PackageTarget(name: "B", module: "B", plugin: "B"))
    for (targets, kind) in [
      ([target("A")], PluginError.Kind.noPlugin), ([target("B", "test")], .noPlugin),
      ([target("B"), target("B")], .severalPlugins),
    ] {
      let error = #expect(throws: PluginError.self) {
        try PackageTarget.withPlugin(
          in: "{\"targets\":[\(targets.joined(separator: ","))]}", root: folder.path,
          package: "package p")
      }
      #expect(error?.kind == kind)
    }
    #expect(throws: PluginError.self) {
      try PackageTarget.withPlugin(in: "nonsense", root: folder.path, package: "package p")
    }
  }
}
