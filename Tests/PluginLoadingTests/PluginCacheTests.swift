import Foundation
import Testing

@testable import PluginLoading

struct PluginCacheTests {
  @Test func `old objects beyond the limit and yesterday's scratch folder are removed`() throws {
    let folder = try TemporaryFolder()
    let cache = PluginCache(root: folder.path)
    func age(_ path: String, by seconds: Int) throws {
      let past = timeval(tv_sec: time(nil) - seconds, tv_usec: 0)
      try #require(utimes(path, [past, past]) == 0)
    }
    for number in 0..<PluginCache.limit + 2 {
      try age(folder.write("objects/\(number).so"), by: number)
    }
    try age(folder.write("scratch/old/x"), by: 0)
    try age(folder.path + "/scratch/old", by: 90_000)
    let scratch = cache.scratch()
    cache.prune()
    let objects = Set(Files.names(in: folder.path + "/objects"))
    #expect(objects.count == PluginCache.limit)
    #expect(!objects.contains("\(PluginCache.limit).so"))
    #expect(objects.contains("0.so"))
    #expect(Files.names(in: folder.path + "/scratch") == [Files.lastComponent(scratch)])
  }

  @Test func `marking an object as used keeps it from being removed, and its stamp`() throws {
    let folder = try TemporaryFolder()
    let object = try folder.write("objects/a.so")
    let past = timeval(tv_sec: 1_000, tv_usec: 0)
    try #require(utimes(object, [past, past]) == 0)
    let stamp = FileStamp(object)
    Files.markUsed(object)
    #expect(FileStamp(object) == stamp)
    for number in 0..<PluginCache.limit {
      let other = try folder.write("objects/\(number).so")
      let later = timeval(tv_sec: 2_000 + number, tv_usec: 0)
      try #require(utimes(other, [later, later]) == 0)
    }
    PluginCache(root: folder.path).prune()
    #expect(Files.isFile(object))
    #expect(!Files.isFile(folder.path + "/objects/0.so"))
  }

  @Test func `a folder of this process replaces a cache that cannot be written`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file")
    let substitute = PluginCache(root: file).folder("objects")
    #expect(!substitute.hasPrefix(file))
    #expect(Files.isDirectory(substitute))
  }

  @Test func `a successful check is remembered`() throws {
    let folder = try TemporaryFolder()
    let cache = PluginCache(root: folder.path)
    #expect(!cache.isKnownGood("key"))
    cache.rememberGood("key", Self.verdict)
    #expect(cache.isKnownGood("key"))
    #expect(!cache.isKnownGood("other"))
    #expect(Files.names(in: folder.path + "/scratch").isEmpty)
  }

  private static let verdict = ProbeRecord(
    object: "/x.so", plugin: ProbeRecord.Description(name: "X", summary: "x", patterns: [])
  ).line

  @Test(arguments: [0, 1, 20])
  func `a truncated verdict does not count`(length: Int) throws {
    let folder = try TemporaryFolder()
    let cache = PluginCache(root: folder.path)
    cache.rememberGood("key", Self.verdict)
    try #require(truncate(folder.path + "/verdicts/key", length) == 0)
    #expect(!cache.isKnownGood("key") && cache.goodVerdicts.isEmpty)
    cache.rememberGood("key", Self.verdict)
    #expect(cache.goodVerdict("key") == Self.verdict && cache.goodVerdicts == [Self.verdict])
  }

  @Test func `a verdict that another user may write does not count`() throws {
    let folder = try TemporaryFolder()
    let cache = PluginCache(root: folder.path)
    cache.rememberGood("key", Self.verdict)
    try #require(chmod(folder.path + "/verdicts/key", 0o666) == 0)
    #expect(!cache.isKnownGood("key") && cache.goodVerdicts.isEmpty)
  }

  @Test func `only the user can access the folders`() throws {
    let folder = try TemporaryFolder()
    let made = PluginCache(root: folder.path + "/a/b").folder("objects")
    #expect(made == folder.path + "/a/b/objects")
    for path in [made, folder.path + "/a/b", folder.path + "/a"] {
      var information = stat()
      try #require(stat(path, &information) == 0)
      #expect(information.st_mode & 0o777 == 0o700)
    }
  }

  @Test(arguments: ["", "/objects"], [0o777, 0o775, 0o770] as [mode_t])
  func `a folder that other users may write to becomes private, and what it holds is kept`(
    part: String, mode: mode_t
  ) throws {
    let folder = try TemporaryFolder()
    let cache = PluginCache(root: folder.path + "/cache")
    try #require(cache.folder("objects") == folder.path + "/cache/objects")
    try folder.write("cache/objects/a.so")
    try #require(chmod(folder.path + "/cache" + part, mode) == 0)
    #expect(cache.folder("objects") == folder.path + "/cache/objects")
    #expect(Files.names(in: folder.path + "/cache/objects") == ["a.so"])
    var information = stat()
    try #require(stat(folder.path + "/cache" + part, &information) == 0)
    #expect(information.st_mode & 0o777 == 0o700)
  }

  @Test func `a folder that a link leads to is not made private, but replaced`() throws {
    let folder = try TemporaryFolder()
    let other = folder.path + "/other"
    try #require(mkdir(other, 0o700) == 0)
    try #require(chmod(other, 0o777) == 0)
    try #require(symlink(other, folder.path + "/objects") == 0)
    #expect(!PluginCache(root: folder.path).folder("objects").hasPrefix(folder.path))
    var information = stat()
    try #require(stat(other, &information) == 0)
    #expect(information.st_mode & 0o777 == 0o777)
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser can give a folder to another user"))
  func `a folder of another user is replaced`() throws {
    let folder = try TemporaryFolder()
    let cache = PluginCache(root: folder.path + "/cache")
    try #require(cache.folder("objects") == folder.path + "/cache/objects")
    try #require(chown(folder.path + "/cache/objects", 12_345, 12_345) == 0)
    #expect(!cache.folder("objects").hasPrefix(folder.path))
  }
}
