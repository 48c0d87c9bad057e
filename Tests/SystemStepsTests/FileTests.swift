import AsyncPatterns
import Foundation
import SystemSteps
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileTests {
  @Test(arguments: [
    (Value.string("line\n"), Value.string("line\n")),
    (.none, .string("")),
    (.data(Data([0xFF, 0])), .data(Data([0xFF, 0]))),
    (.list([.integer(1), .integer(2)]), .string("1\n2")),
  ])
  func `a written value is read again`(input: Value, contents: Value) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let path = folder.file("file")
    #expect(try await run(.write("write", path: path), input: input).get() == input)
    #expect(try await run(.read("read", path: path)).get() == contents)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test func `writing keeps mode and links`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let (path, link) = (folder.file("file"), folder.file("link"))
    try folder.write("old", to: "file")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    _ = try await run(.write("write", path: link), input: .string("new")).get()
    #expect(try folder.read("file") == Data("new".utf8))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  /// The link is kept even if its target does not exist yet.
  @Test func `a link stays, and its target is created`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
    _ = try await run(.write("write", path: link), input: .string("new")).get()
    #expect(try folder.read("file") == Data("new".utf8))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "file")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["file", "link"])
  }

  @Test func `a cancelled write leaves the old file`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write("old", to: "file")
    let write = try Step.write("write", path: folder.file("file"))
    let result = await withCheckedContinuation { continuation in
      let run = Run(
        write, input: .data(Data(repeating: 0, count: 256 << 20)), on: LiveRuntime.shared
      ) { continuation.resume(returning: $0) }
      run.cancel()
    }
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(try folder.read("file") == Data("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test(arguments: [
    ("missing", "No such file or directory"), (".", "it is a folder; name a file in it"),
    ("fifo", "it is not a regular file"), ("file/below", "Not a directory"),
  ])
  func `a path that cannot be read is a failure that names it`(
    name: String, why: String
  ) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.makeFifo("fifo")
    try folder.write("", to: "file")
    let told = try #require(reason(await run(.read("read", path: folder.file(name)))))
    #expect(told.hasPrefix("\(folder.file(name)): \(why)"))
  }

  @Test(arguments: [
    ("missing/file", "it cannot be written: there is no folder “"),
    ("missing/folder/", "it cannot be written: that is the name of a folder; name a file in it"),
    (".", "it cannot be written: it is a folder; name a file in it"),
    ("fifo", "it is not a regular file; name one"),
    ("file/below", "it cannot be written: “"),
    (String(repeating: "x", count: 300), "it cannot be written: the name is too long"),
  ])
  func `a path that cannot be written is a failure that names it`(
    name: String, why: String
  ) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.makeFifo("fifo")
    try folder.write("", to: "file")
    let told = try #require(reason(await run(.write("write", path: folder.file(name)))))
    #expect(told.hasPrefix("\(folder.file(name)): \(why)"))
  }

  @Test func `a tilde is the home directory`() async throws {
    let told = try #require(reason(await run(.read("read", path: "~/no such file"))))
    let home = try #require(ProcessInfo.processInfo.environment["HOME"])
    #expect(told.hasPrefix("\(home)/no such file: "))
  }
}
