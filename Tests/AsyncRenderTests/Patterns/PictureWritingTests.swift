import AsyncPatterns
import AsyncRender
import Foundation
import Testing

@testable import AsyncRenderPatterns

/// Pictures that a step writes to files.
@Suite struct PictureWritingTests {
  private func sample() throws -> Picture {
    try drawn(30, 20) { $0.fill(Rect(x: 1, y: 1, width: 9, height: 3), with: .color(.black)) }
  }

  @Test func `a picture is written to a file`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "sample.png")
    let picture = try sample()
    try picture.write(to: file)
    #expect(try Data(contentsOf: file) == picture.pngData())
    #expect(try Picture(contentsOf: file).width == 30)
    let nowhere = folder.appending(path: "none/sample.png")
    let written = #expect(throws: StepFailure.self) { try picture.write(to: nowhere) }
    #expect(written?.description.contains("none/sample.png") == true)
  }

  @Test(arguments: [
    (".", "it is a folder; name a file in it"), ("none/a.png", "there is no folder “"),
    ("file/a.png", "is not a folder; name a file elsewhere"),
    ("pipe", "no program reads from it; name a file, or start the reader first"),
    (String(repeating: "x", count: 300), "the name is too long; name a shorter one"),
  ])
  func `an error in writing states the reason and the fix`(name: String, why: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder.appending(path: "file"))
    #expect(mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)
    let file = folder.appending(path: name)
    let error = #expect(throws: StepFailure.self) { try sample().write(to: file) }
    let message = try #require(error?.description)
    #expect(message.hasPrefix("the picture cannot be written to “\(file.path)”: "), "\(message)")
    #expect(message.contains(why), "\(message)")
    // No other file is left in the folder.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["file", "pipe"])
  }

  @Test func `a picture replaces the target of a link and keeps its permissions`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, link) = (folder.appending(path: "a.png"), folder.appending(path: "link.png"))
    try Data([1]).write(to: file)
    #expect(chmod(file.path, 0o640) == 0)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let picture = try sample()
    try picture.write(to: link)
    #expect(try Data(contentsOf: file) == picture.pngData())
    var status = stat()
    #expect(lstat(link.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  /// A device is not a file that can be replaced.
  @Test func `a device is written to directly`() throws {
    let full = URL(filePath: "/dev/full")
    let error = #expect(throws: StepFailure.self) { try sample().write(to: full) }
    #expect(
      error?.description
        == "the picture cannot be written to “/dev/full”: no space is left there; free some, or name a file elsewhere"
    )
    var status = stat()
    #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    try sample().write(to: URL(filePath: "/dev/null"))
  }
}
