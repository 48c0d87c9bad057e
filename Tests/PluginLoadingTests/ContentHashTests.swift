import Testing

@testable import PluginLoading

struct ContentHashTests {
  /// Test vectors of FNV-1a with 128 bits.
  @Test(arguments: [
    ("", "6c62272e07bb014262b821756295c58d"),
    ("a", "d228cb696f1a8caf78912b704e4a8964"),
    ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
  ])
  func `the hash is FNV-1a`(text: String, expected: String) {
    var hash = ContentHash()
    hash.combine(text.utf8)
    #expect(hash.text == expected)
  }

  @Test func `the hash depends on where each text ends`() {
    var one = ContentHash()
    one.combine("ab")
    one.combine("c")
    var other = ContentHash()
    other.combine("a")
    other.combine("bc")
    #expect(one.text != other.text)
  }

  @Test func `a file's stamp changes with its content`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x", "one")
    let before = FileStamp(path)
    #expect(before == FileStamp(path))
    try folder.write("x", "other")
    #expect(before != FileStamp(path))
    #expect(FileStamp(folder.path + "/none") == nil)
  }
}
