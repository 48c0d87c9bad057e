import FileWriting
import Foundation
import Testing

/// The place where a file will be written, and the handling of an existing file.
@Suite struct FileReplacementTests {
  private typealias Fault = FileReplacement.Fault

  private func itself(_ fault: Fault) -> Fault { fault }
  private func failure(_ fault: Fault) -> any Error { fault }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "/replacement-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let real = try #require(realpath(folder, nil))
    defer { free(real) }
    try body(String(cString: real))
  }

  private func write(_ text: String, to path: String) throws {
    try FileReplacement(path).write(orThrow: itself) { file throws(Fault) in
      let count = text.utf8.count
      guard Foundation.write(file, text, count) == count else { throw Fault(errno, at: path) }
    }
  }

  @Test func `the kind and the target of a path are known`() throws {
    try withFolder { folder in
      try write("", to: folder + "/file")
      try #require(mkfifo(folder + "/pipe", 0o600) == 0)
      try #require(
        symlink("file", folder + "/link") == 0 && symlink("new", folder + "/to be made") == 0)
      let kinds: [(String, FileReplacement.Kind, String)] = [
        ("file", .file, "file"), ("link", .file, "file"), ("pipe", .other, "pipe"),
        ("none", .nothing, "none"), ("to be made", .nothing, "new"),
      ]
      for (name, kind, target) in kinds {
        let place = try FileReplacement(folder + "/" + name)
        #expect(place.kind == kind && place.target == folder + "/" + target)
      }
      #expect(try FileReplacement(folder).kind == .folder)
      // The name is the same, however the folder is written.
      #expect(try FileReplacement(folder + "/./none").target == folder + "/none")
    }
  }

  @Test func `a path that no file can have is found before writing`() throws {
    try withFolder { folder in
      try write("", to: folder + "/file")
      try #require(symlink("none/file", folder + "/link") == 0)
      let long = String(repeating: "x", count: 300)
      for (name, said) in [
        (".", "it is a folder; name a file in it"),
        ("none/file", "there is no folder “\(folder)/none”; create it"),
        ("none/", "that is the name of a folder"), ("file/", "that is the name of a folder"),
        ("file/below", "“\(folder)/file” is not a folder"),
        ("link", "there is no folder “\(folder)/none”; create it"),
        (long, "the name is too long"),
      ] {
        let place = try FileReplacement(folder + "/" + name)
        let checked = #expect(throws: Fault.self) { try place.check() }
        #expect(
          checked?.reason.hasPrefix(said) == true, "\(name): \(String(describing: checked?.reason))"
        )
        // The actual write fails for the same reason as the check.
        let written = #expect(throws: Fault.self) { try write("new", to: folder + "/" + name) }
        #expect(written?.reason == checked?.reason, "\(name)")
      }
      for name in ["file", "new", "../\((folder as NSString).lastPathComponent)/new"] {
        try FileReplacement(folder + "/" + name).check()
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["file", "link"])
    }
    try FileReplacement("/dev/null").check()
    #expect(throws: Fault.self) { try FileReplacement("") }
  }

  @Test func `links that form a cycle are a fault`() throws {
    try withFolder { folder in
      try #require(symlink("b", folder + "/a") == 0 && symlink("a", folder + "/b") == 0)
      let fault = #expect(throws: Fault.self) { try FileReplacement(folder + "/a") }
      #expect(fault?.code == ELOOP)
    }
  }

  @Test func `a failed write leaves the old file`() throws {
    try withFolder { folder in
      let path = folder + "/file"
      try write("old", to: path)
      #expect(throws: CancellationError.self) {
        try FileReplacement(path).write(orThrow: failure) { file in
          _ = Foundation.write(file, "new", 3)
          throw CancellationError()
        }
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }
  }

  /// Steps of a group may write to one file at the same time.
  @Test func `two writes at the same time do not disturb each other`() throws {
    try withFolder { folder in
      let path = folder + "/file"
      try FileReplacement(path).write(orThrow: failure) { file in
        try write("inner", to: path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "inner")
        _ = Foundation.write(file, "outer", 5)
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "outer")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }
  }
}
