import Foundation
import TerminalTesting
import Testing

/// Runs the built program with working plugins and with faulty ones.
@Suite(.serialized)
struct PluginLoadingEndToEndTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// One cache for all of these tests, so that the compiler builds its cache of system modules only once.
  private static let cache = NSTemporaryDirectory() + "playground-plugin-cache-\(getpid())"

  private func eval(
    _ script: String, options: [String] = [], environment: [String: String] = [:]
  ) async throws -> Child.Outcome {
    let folders = ["XDG_CACHE_HOME": Self.cache, "XDG_DATA_HOME": folder.path + "/data"]
    return try await Child(
      [PlaygroundProcess.executable] + options + ["eval", script], in: folder.path,
      environment: ProcessInfo.processInfo.environment.merging(folders) { $1 }
        .merging(environment) { $1 }
    ).outcome()
  }

  /// The source of a plugin with one pattern that returns its input.
  private func source(
    _ pattern: String, type: String = "Trial", patterns: String = "[Passing.self]",
    initializer: String = ""
  ) -> String {
    """
    import AsyncPatterns
    import Foundation

    struct Passing: AsyncPattern {
      static var manual: Manual { Manual(name: "\(pattern)", summary: "passes its input on") }
      init(_ arguments: Arguments) throws { \(initializer) }
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        guard let step = steps.first else { return completion(.success(input)) }
        scope.start(step, input: input, completion: completion)
      }
    }

    // enum NotThisOne: Plugin {}
    enum \(type): Plugin {
      static var name: String { "\(type)" }
      static var summary: String { "a trial" }
      static var patterns: [any AsyncPattern.Type] { \(patterns) }
    }
    """
  }

  /// A shared object in C that claims to be a plugin.
  private func object(_ name: String, _ text: String) async throws {
    try folder.write(text, to: name + ".c")
    let compiler = try await Shell.run(
      "sh", "-c", "readlink -f $(command -v swiftc)", in: folder.path)
    let clang = (compiler as NSString).deletingLastPathComponent + "/clang"
    try await Shell.run(clang, "-shared", "-fPIC", name + ".c", "-o", name + ".so", in: folder.path)
  }

  @Test func `a Swift file is compiled, loaded and run, and compiled once`() async throws {
    try folder.write(source("passing"), to: "Trial.swift")
    for _ in 1...2 {
      let answer = try await eval("load Trial.swift; passing { value 7 }", options: ["--json"])
      #expect(answer.code == 0, "\(answer)")
      #expect(answer.output.contains(#""pattern":"passing""#))
      #expect(answer.output.contains(#""value":7"#))
    }
    let objects = try FileManager.default.contentsOfDirectory(
      atPath: Self.cache + "/async-playground/objects")
    #expect(objects.filter { $0.hasPrefix("Trial_") }.count == 1)
  }

  @Test func `a folder of Swift files and one on the plugin path load`() async throws {
    try folder.write(source("foldered", type: "Foldered"), to: "some/Foldered/a.swift")
    try folder.write("let unused = 1", to: "some/Foldered/deeper/b.swift")
    let byPath = try await eval("load some/Foldered; foldered { value 1 }")
    #expect(byPath.code == 0, "\(byPath)")
    let given = try await eval(
      "load Foldered; foldered { value 1 }", options: ["--plugins", folder.path + "/some"])
    #expect(given.code == 0, "\(given)")
    let listed = try await eval(
      "load Foldered; foldered { value 1 }",
      environment: ["ASYNC_PLAYGROUND_PLUGINS": folder.path + "/some"])
    #expect(listed.code == 0, "\(listed)")
  }

  @Test(arguments: ["SerialQueue", "Promises"])
  func `a module of the build is linked on its first load`(module: String) async throws {
    let pattern = module == "Promises" ? "promise" : "serial"
    let answer = try await eval("load \(module); \(pattern) { value 1 }", options: ["--json"])
    #expect(answer.code == 0, "\(answer)")
    #expect(answer.output.contains(#""outcome":"success""#))
  }

  /// A module that draws needs a library of the system. The program finds the module maps and headers of that library.
  @Test func `a source may import a module that draws, and Cairo with it`() async throws {
    try folder.write(PluginSources.drawing, to: "Drawing.swift")
    let answer = try await eval("load Drawing.swift; drawing { value 1 }", options: ["--json"])
    #expect(answer.code == 0, "\(answer)")
    #expect(answer.output.contains(#""value":[40,20]"#), "\(answer)")
  }

  /// The geometry is part of the program, so plugins can exchange points.
  @Test func `all plugins are loaded together, and share their types`() async throws {
    try folder.write(
      PluginSources.handing(
        "Giving", "give", importing: "SerialAnimation",
        "Thread.mainThread.threadDictionary[\"point\"] = Point(x: 3, y: 4)"), to: "Giving.swift")
    try folder.write(
      PluginSources.handing(
        "Taking", "take", importing: "AsyncRender",
        """
        guard let point = Thread.mainThread.threadDictionary["point"] as? Point else {
          return completion(.failure(StepFailure("it is another type")))
        }
        if point.y == 4 { return completion(.success(.real(Rect(origin: point).maxX))) }
        """), to: "Taking.swift")
    let answer = try await eval(
      """
      load SerialQueue; load Promises; load OperationGraph; load AsyncRender; load RunLoopTransaction
      load Giving.swift; load Taking.swift
      serial { give { value 1 }; animate(5ms); render(text: "hi"); take { value 1 } }
      """, options: ["--json", "--clock", "virtual"])
    #expect(answer.code == 0, "\(answer)")
    #expect(answer.output.contains(#""value":3,"#), "\(answer)")
  }

  @Test func `an error thrown in a plugin keeps its type`() async throws {
    let thrown = "throw ArgumentError(\"the moon is full\")"
    try folder.write(source("picky", initializer: thrown), to: "Picky.swift")
    let answer = try await eval("load Picky.swift; picky { value 1 }", options: ["--json"])
    #expect(answer.code == 2, "\(answer)")
    #expect(answer.output.contains("the moon is full"))
  }

  @Test func `a compile error is shown as the compiler printed it`() async throws {
    try folder.write(
      source("broken").replacingOccurrences(of: "input: Value", with: "input: Valu"),
      to: "Broken.swift")
    let answer = try await eval("load Broken.swift")
    #expect(answer.code == 2)
    let said = "Broken.swift:8:29: error: cannot find type 'Valu' in scope"
    #expect(answer.description.contains(said))
    let record = try await eval("load Broken.swift", options: ["--json"])
    #expect(record.code == 2)
    #expect(record.output.contains(#""record":"error""#))
  }

  @Test(arguments: [
    ("{ let none: [Int] = []; return none.first! == 1 ? [] : [Passing.self] }()", "crashed while"),
    ("{ exit(0) }()", "ended its process while"),
  ])
  func `a plugin that crashes its process only crashes the probe`(
    patterns: String, part: String
  ) async throws {
    try folder.write(source("fatal", type: "Fatal", patterns: patterns), to: "Fatal.swift")
    try folder.write(source("passing"), to: "Trial.swift")
    let answer = try await eval("load Fatal.swift Trial.swift", options: ["--json"])
    #expect(answer.code == 2)
    #expect(answer.output.contains("Fatal.swift \(part) its patterns were read"), "\(answer)")
    #expect(!answer.output.contains("Trial.swift"))
  }

  @Test(arguments: [
    ("999", "__VERSION__", "plugin ABI 999"), ("2", "\"gcc 1\"", "built by “gcc 1”"),
  ])
  func `the handshake comes first`(abi: String, compiler: String, part: String) async throws {
    // `describe` does not point to a function, so calling it would crash.
    try await object(
      "Foreign",
      """
      static struct { unsigned abi; const char *compiler; void *describe; } plugin = {
        \(abi), \(compiler), (void *)1 };
      void *async_pattern_plugin_Foreign(void) { return &plugin; }
      """)
    let answer = try await eval("load Foreign.so", options: ["--json"])
    #expect(answer.code == 2)
    #expect(answer.output.contains(part), "\(answer)")
    #expect(answer.output.contains("ebuild"))
  }

  @Test func `objects that are not plugins are refused, with what they lack`() async throws {
    try await object("Bare", "int nothing;")
    try await object(
      "Needy", "void missing(void); void *async_pattern_plugin_Needy(void) { missing(); }")
    try folder.write("junk", to: "Junk.so")
    for (name, part) in [
      ("Bare", "no entry point"), ("Needy", "needs “missing”"), ("Junk", "not a shared object"),
    ] {
      let answer = try await eval("load \(name).so", options: ["--json"])
      #expect(answer.code == 2)
      #expect(answer.output.contains(part), "\(answer)")
    }
  }

  @Test func `two plugins cannot provide the same pattern`() async throws {
    try folder.write(source("same", type: "One"), to: "One.swift")
    try folder.write(source("same", type: "Two"), to: "Two.swift")
    let answer = try await eval("load One.swift Two.swift", options: ["--json"])
    #expect(answer.code == 2)
    #expect(answer.output.contains("Unload One first"), "\(answer)")
  }

  @Test func `for an unknown name or path, the error suggests the nearest one`() async throws {
    try folder.write(source("passing"), to: "Trial.swift")
    for (word, nearest) in [("Trail.swift", "Trial.swift"), ("serialqueue", "SerialQueue")] {
      let answer = try await eval("load \(word)", options: ["--json"])
      #expect(answer.code == 2)
      #expect(answer.output.contains("did you mean \(nearest)"), "\(answer)")
    }
  }

  @Test func `without a compiler, a file says what to install, and a built object loads`()
    async throws
  {
    try folder.write(source("passing", type: "Early"), to: "Early.swift")
    #expect(try await eval("load Early.swift").code == 0)
    let objects = Self.cache + "/async-playground/objects"
    let object = try #require(
      try FileManager.default.contentsOfDirectory(atPath: objects)
        .first { $0.hasPrefix("Early_") && $0.hasSuffix(".so") })
    try FileManager.default.copyItem(
      atPath: "\(objects)/\(object)", toPath: folder.path + "/Early.so")
    let bare = ["PATH": "/nowhere", "SWIFTC": ""]
    let built = try await eval("load Early.so; passing { value 1 }", environment: bare)
    #expect(built.code == 0, "\(built)")
    let source = try await eval("load Early.swift", options: ["--json"], environment: bare)
    #expect(source.code == 2)
    #expect(source.output.contains("swift.org/install"), "\(source)")
  }
}
