import Foundation
import Testing

@testable import PluginLoading

struct PluginPathTests {
  private let folder: TemporaryFolder
  private let host: PluginHost

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("build/playground")
    host = PluginHost(executable: folder.path + "/build/playground", cache: folder.path + "/cache")
  }

  private func path(given: [String] = [], listed: String = "") -> PluginPath {
    PluginPath(
      host: host, given: given,
      environment: [
        "XDG_DATA_HOME": folder.path + "/data", "ASYNC_PLAYGROUND_PLUGINS": listed, "HOME": "/none",
      ])
  }

  private let beside = "build/AsynchronousPatterns_playground.resources/Plugins"
  private let data = "data/async-playground/plugins"

  @Test func `it searches beside the executable, then given, listed and user folders`()
    throws
  {
    let places = ["build/Plugins", beside, "given", "listed/1", "listed/2", data]
    let path = path(
      given: [folder.path + "/given"],
      listed: "\(folder.path)/listed/1:\(folder.path)/listed/2")
    for place in places.reversed() {
      let file = try folder.write(place == "build/Plugins" ? place + "/X.so" : place + "/X.swift")
      #expect(try path.find("X").path == file)
    }
  }

  @Test func `files, folders, packages and objects are distinguished`() throws {
    try folder.write("\(data)/a.swift")
    try folder.write("\(data)/b/one.swift")
    try folder.write("\(data)/c/Package.swift")
    try folder.write("\(data)/libd.so")
    try folder.write("\(data)/empty/readme.txt")
    try folder.write("\(data)/.hidden.swift")
    let found = path().available()
    #expect(found.map(\.name) == ["a", "b", "c", "d"])
    #expect(found.map(\.kind) == [.file, .folder, .package, .object])
    for origin in found { #expect(try path().find(origin.name) == origin) }
  }

  @Test func `a compiled module of the build has the plugin that it is named after`() throws {
    try folder.write(
      "build/playground.product/Objects.LinkFileList", "/x/AsyncPatterns.build/a.o\n")
    for module in ["AsyncPatterns", "Promises", "PromisesPatterns"] {
      try folder.write("build/\(module).build/deep/a.swift.o")
    }
    try folder.write("build/SerialQueuePatterns.build/a.d")
    let origin = PluginOrigin(
      name: "Promises", kind: .module, path: folder.path + "/build/PromisesPatterns.build")
    #expect(path().available() == [origin])
    #expect(try path().find("Promises") == origin)
  }

  @Test func `the list of available plugins has the first of each name`() throws {
    try folder.write("\(data)/x.swift")
    let first = try folder.write("\(beside)/x.swift")
    #expect(path().available().map(\.path) == [first])
  }

  @Test(arguments: [
    ("serialqueue", ["SerialQueue"]), ("SerialQuue", ["SerialQueue"]), ("xyz", []),
    ("Promise", ["Promises"]),
  ])
  func `names are case-sensitive, with suggestions`(word: String, nearest: [String]) throws {
    try folder.write("\(beside)/SerialQueue.swift")
    try folder.write("\(beside)/Promises.swift")
    let error = #expect(throws: PluginError.self) { try path().find(word) }
    #expect(error?.kind == .notFound)
    #expect(error?.suggestions == nearest)
    #expect(error?.message.contains("“\(word)”") == true)
    #expect(error?.message.contains("did you mean") == !nearest.isEmpty)
  }

  @Test func `the error for a name that is not found lists the searched places`() {
    let error = #expect(throws: PluginError.self) { try path(given: ["/given"]).find("X") }
    for place in [host.plugins, host.sourcePlugins, "/given (does not exist)", data] {
      #expect(error?.message.contains(place) == true)
    }
  }

  @Test func `paths that do not exist or are not plugins give a clear error`() throws {
    try folder.write("here/Good.swift")
    try folder.write("here/notes.txt")
    try folder.write("empty/readme")
    let at = folder.path + "/"
    let cases: [(String, PluginError.Kind, String)] = [
      ("here/Goood.swift", .notFound, "did you mean Good.swift"),
      ("here/zzzzzzz.so", .notFound, "Give the path"),
      ("there/Good.swift", .notFound, "the folder"),
      ("here/notes.txt", .unsuitable, "neither a Swift file nor"),
      ("empty", .unsuitable, "contains no Swift file"),
    ]
    for (place, kind, part) in cases {
      let error = #expect(throws: PluginError.self) { try path().find(at + place) }
      #expect(error?.kind == kind, "\(place)")
      #expect(error?.message.contains(part) == true, "\(place)")
    }
  }

  @Test func `the error for a known module that is not built says how to build it`() throws {
    try folder.write(
      "build/playground.product/Objects.LinkFileList", "/x/AsyncPatterns.build/a.o\n")
    try folder.write("build/SerialQueuePatterns.build/sources")
    try folder.write("build/AsyncPatterns.build/sources")
    #expect(throws: PluginError.self) { try path().find("AsyncPatterns") }
    let error = #expect(throws: PluginError.self) { try path().find("SerialQueue") }
    #expect(error?.kind == .notBuilt)
    #expect(error?.message.contains("swift build") == true)
  }

  @Test func `the link file list contains the host's modules`() {
    let list = """
      /b/x.build/AsyncPatterns.build/A.swift.o
      '/b/x y/Deque Module.build/a b.swift.o'
      /b/CThing.build/deep/down/c.c.o
      /b/loose.o

      """
    #expect(LinkFileList.modules(Array(list.utf8)) == ["AsyncPatterns", "Deque Module", "CThing"])
  }

  @Test func `relative XDG folders are ignored, as the specification requires`() {
    #expect(
      UserFolders.cache(environment: ["XDG_CACHE_HOME": "x", "HOME": "/h"])
        == "/h/.cache/async-playground")
    #expect(
      UserFolders.plugins(environment: ["XDG_DATA_HOME": "/d", "HOME": "/h"])
        == "/d/async-playground/plugins")
  }

  @Test(arguments: ["", "relative", "./x"])
  func `a home folder without an absolute path is ignored`(home: String) {
    let cache = UserFolders.cache(environment: ["HOME": home])
    #expect(cache == UserFolders.cache(environment: [:]))
    #expect(cache.hasPrefix("/") && cache != "/.cache/async-playground")
  }
}
