import Foundation
import Testing

@testable import PluginLoading

struct PluginCacheTests {
  @Test func `old objects beyond the limit and yesterday's scratch folder are removed`() throws {
    let folder = try TemporaryFolder()
    let cache = PluginCache(root: folder.path)
    func age(_ path: String, by seconds: Int) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -Double(seconds))], ofItemAtPath: path)
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
    cache.rememberGood("key", [])
    #expect(cache.isKnownGood("key"))
    #expect(!cache.isKnownGood("other"))
  }
}
