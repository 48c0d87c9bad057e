import Foundation
import Testing

/// A file that is overwritten gets the new contents and keeps its other attributes.
@Suite struct OverwritingTests {
  private static let runs = #"{"format":"asynchronous-pattern-runs","version":1,"#
  private static let page = "<!DOCTYPE html><p>old"

  static let orders: [(words: [String], old: String)] = [
    (["eval", "value 1", "--save", "FILE"], runs), (["eval", "value 1", "--report", "FILE"], page),
    (["eval", "value 1; trace save FILE"], runs), (["trace", "import", "a.json", "FILE"], runs),
    (["eval", "value 1; trace export --format html FILE"], page),
    (["trace", "export", "a.runs", "FILE", "--format", "html"], page),
    (["trace", "export", "a.runs", "FILE", "--format", "csv"], "old"),
    (["trace", "export", "a.runs", "FILE", "--format", "png"], "old"),
  ]

  @Test(arguments: orders)
  func `overwriting keeps mode, owner and link`(order: [String], old: String) async throws {
    let home = try PlaygroundHome()
    #expect(try await home.eval("value 2", "--save", "a.runs").code == 0)
    #expect(try await home.run(["trace", "export", "a.runs", "a.json"]).code == 0)
    let (file, link) = (home.workingFolder + "/file", home.workingFolder + "/link")
    try home.write(old, to: "file")
    // Only root can give a file to another user, and write to another user's file.
    if geteuid() == 0 { try #require(chown(file, 65_534, 65_534) == 0) }
    try #require(chmod(file, 0o600) == 0 && symlink("file", link) == 0)
    var before = stat()
    try #require(stat(file, &before) == 0)
    let outcome = try await home.run(
      order.map { $0.replacing("FILE", with: "link") })
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try Data(contentsOf: URL(filePath: file)) != Data(old.utf8))
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    #expect(status.st_uid == before.st_uid && status.st_gid == before.st_gid)
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    let files = try FileManager.default.contentsOfDirectory(atPath: home.workingFolder)
    #expect(files.sorted() == ["a.json", "a.runs", "file", "link"])
  }
}
