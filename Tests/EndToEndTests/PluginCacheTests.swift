import Foundation
import TerminalTesting
import Testing

/// The files that the loader of plugins keeps, and the temporary ones.
@Suite struct PluginCacheTests {
  private let home: PlaygroundHome
  private var cache: String { home.workingFolder + "/cache" }
  private var objects: String { cache + "/async-playground/objects" }

  init() throws { home = try PlaygroundHome() }

  private func load() async throws -> PlaygroundProcess.Outcome {
    try await home.run(
      ["eval", "load Answer.swift; answer { value 0 }; expect value == 41"],
      environment: ["XDG_CACHE_HOME": cache])
  }

  /// The path of the plugin's only object.
  private func object() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: objects)
    try #require(names.count == 1, "\(names)")
    return objects + "/" + names[0]
  }

  @Test func `a damaged object and a damaged verdict are made again`() async throws {
    try home.write(PluginSources.answer(41), to: "Answer.swift")
    #expect(try await load().code == 0)
    let object = try object()
    let size = try #require(FileManager.default.contents(atPath: object)).count
    for length in [0, size - 1] {
      try #require(truncate(object, length) == 0)
      let outcome = try await load()
      #expect(outcome.code == 0, "\(length) of \(size): \(outcome)")
      #expect(FileManager.default.contents(atPath: object)?.count == size)
    }
    let verdicts = cache + "/async-playground/verdicts"
    for name in try FileManager.default.contentsOfDirectory(atPath: verdicts) {
      try #require(truncate(verdicts + "/" + name, 3) == 0)
    }
    #expect(try await load().code == 0)
  }

  @Test func `an unchanged plugin is probed once, and its object is not copied`() async throws {
    try home.write(PluginSources.answer(41), to: "Answer.swift")
    let verdicts = cache + "/async-playground/verdicts"
    #expect(try await load().code == 0)
    let probed = try FileManager.default.contentsOfDirectory(atPath: verdicts)
    #expect(try await load().code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: verdicts) == probed)
    let again = try await home.run(
      ["eval", "load Answer.swift; load Answer.swift"], environment: ["XDG_CACHE_HOME": cache])
    #expect(again.code == 0, "\(again)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: objects).count == 1, "\(again)")
  }

  @Test func `an object that other users may write is made again`() async throws {
    try home.write(PluginSources.answer(41), to: "Answer.swift")
    #expect(try await load().code == 0)
    let object = try object()
    try Data("no object".utf8).write(to: URL(filePath: object))
    try #require(chmod(object, 0o666) == 0)
    #expect(try await load().code == 0)
    var information = stat()
    try #require(stat(object, &information) == 0)
    #expect(information.st_mode & 0o022 == 0)
  }

  @Test func `the folder that replaces an unusable cache is removed`() async throws {
    try home.write(PluginSources.answer(41), to: "Answer.swift")
    try home.write("not a folder", to: "cache")
    let temporary = try home.folder.folder("temporary")
    let outcome = try await home.run(
      ["eval", "load Answer.swift"], environment: ["XDG_CACHE_HOME": cache, "TMPDIR": temporary])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    let message = outcome.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      message.contains("note: compiled plugins are not kept for the next start, because the cache"),
      "\(outcome)")
    #expect(message.contains("set XDG_CACHE_HOME to a folder of your own"), "\(outcome)")
    // Loading a plugin that is already built compiles nothing, so nothing is missing at the next start.
    let built = try await home.run(
      ["eval", "load SerialQueue"], environment: ["XDG_CACHE_HOME": cache, "TMPDIR": temporary])
    #expect(built.code == 0 && built.errors.isEmpty, "\(built)")
  }

  @Test func `a cache that the user's group may write to is repaired and used again`() async throws
  {
    try home.write(PluginSources.answer(41), to: "Answer.swift")
    #expect(try await load().code == 0)
    let object = try object()
    let made = try FileManager.default.attributesOfItem(atPath: object)[.systemFileNumber] as? Int
    for folder in [cache + "/async-playground", objects] {
      try #require(chmod(folder, 0o775) == 0)
    }
    let outcome = try await load()
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
    let kept = try FileManager.default.attributesOfItem(atPath: object)[.systemFileNumber] as? Int
    #expect(kept == made)
    for folder in [cache + "/async-playground", objects] {
      var information = stat()
      try #require(stat(folder, &information) == 0)
      #expect(information.st_mode & 0o777 == 0o700)
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func `a signal that ends the program ends the compiler and removes its folder`(
    signal: Int32
  ) async throws {
    let held = try HeldPipe(home.workingFolder + "/held")
    let started = try NamedPipe(home.workingFolder + "/started")
    let compiler = try await home.writeProgram(
      "#!/bin/sh\n\(LeftProcessesTests.stubborn)\n", to: "compiler")
    try home.write(PluginSources.answer(41), to: "Answer.swift")
    // SIGQUIT must not leave a core file.
    let child = try Child(
      [
        "sh", "-c", "ulimit -c 0; exec \"$0\" eval \"load Answer.swift\"",
        PlaygroundProcess.executable,
      ], in: home.workingFolder,
      environment: home.environment.merging(
        ["SWIFTC": compiler, "XDG_CACHE_HOME": cache]) { $1 })
    _ = try #require(await started.line())
    child.signal(signal)
    let outcome = try await child.outcome()
    #expect(outcome.code == 128 + signal, "\(outcome)")
    #expect(await held.isReleased())
    let scratch = cache + "/async-playground/scratch"
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
  }
}
