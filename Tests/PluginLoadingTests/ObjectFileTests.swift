import Foundation
import Testing

@testable import PluginLoading

struct ObjectFileTests {
  /// An object and a shared object compiled from one C file.
  private func compiled() async throws -> (folder: TemporaryFolder, object: String, shared: String)
  {
    let folder = try TemporaryFolder()
    let source = try folder.write(
      "x.c",
      """
      extern int elsewhere(void);
      __attribute__((weak)) int weak(void) { return 1; }
      static int hidden(void) { return elsewhere(); }
      int async_pattern_plugin_One(void) { return hidden() + weak(); }
      extern int async_pattern_plugin_Elsewhere(void);
      int uses(void) { return async_pattern_plugin_Elsewhere(); }
      """)
    let compiler = try SwiftCompiler.find()
    let clang = Files.folder(of: compiler.path) + "/clang"
    let (object, shared) = (folder.path + "/x.o", folder.path + "/x.so")
    for arguments in [["-c", source, "-o", object], ["-shared", source, "-o", shared]] {
      _ = try await compiler.run(clang, ["-fPIC"] + arguments, scratch: folder.path) {
        PluginError(.compileFailed, $0)
      }
    }
    return (folder, object, shared)
  }

  @Test func `a truncated object, or one that other users may write, is not usable`() async throws {
    let files = try await compiled()
    for path in [files.object, files.shared] {
      try #require(chmod(path, 0o644) == 0)
      #expect(ObjectFile.isUsable(path))
      try #require(chmod(path, 0o664) == 0)
      #expect(!ObjectFile.isUsable(path))
      try #require(chmod(path, 0o644) == 0)
      let size = try #require(Files.read(path)).count
      for length in [size - 1, size / 2, 64, 1, 0] {
        try #require(truncate(path, length) == 0)
        #expect(!ObjectFile.isUsable(path), "\(length) of \(size)")
      }
    }
  }

  @Test func `it reads the symbols of objects and of shared objects`() async throws {
    let files = try await compiled()
    for path in [files.object, files.shared] {
      let file = try #require(ObjectFile(path))
      #expect(file.entryPoints() == ["One"])
      let symbols = file.symbols()
      func symbol(_ name: String) -> ObjectFile.Symbol? { symbols.first { $0.name == name } }
      #expect(symbol("elsewhere")?.isDefined == false)
      #expect(symbol("weak")?.isDefined == true)
      #expect(symbol("weak")?.isWeak == true)
      #expect(symbol("async_pattern_plugin_One")?.isWeak == false)
      #expect(symbol("hidden") == nil)
    }
  }

  @Test func `a damaged file yields nothing and does not crash`() async throws {
    let files = try await compiled()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: files.object))
    let path = files.folder.path + "/damaged.o"
    for length in stride(from: 0, to: bytes.count, by: 97) {
      try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
      #expect(ObjectFile(path)?.entryPoints().isEmpty ?? true)
    }
    var generator = SplitMix(state: 1)
    for _ in 0..<200 {
      var damaged = bytes
      for _ in 0..<8 {
        let place = Int(generator.next(upperBound: UInt64(damaged.count)))
        damaged[place] = UInt8(truncatingIfNeeded: generator.next())
      }
      try damaged.write(to: URL(fileURLWithPath: path))
      // Only a return without a crash is checked, because most damage hits parts that are not read.
      _ = ObjectFile(path)?.symbols()
    }
    #expect(ObjectFile("/no/such/file") == nil)
  }
}

/// A generator whose numbers are the same each time.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
