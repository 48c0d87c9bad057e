import Testing

@testable import PluginLoading

/// Reads a private file of the build system, whose format may change.
struct BuildDescriptionTests {
  @Test func `the C modules that a module uses are found`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "description.json",
      """
      {"swiftCommands": {
        "C.Drawing-debug.module": {"moduleName": "Drawing", "otherArguments": [
          "-Onone", "-I/usr/include/pango", "-Xcc", "-fmodule-map-file=/sources/C/module.modulemap",
          "-I", "/not/this", "-I/usr/include/cairo", "-I/usr/include/pango"]},
        "C.Other-debug.module": {"moduleName": "Other", "otherArguments": [
          "-I/usr/include/other", "-I/usr/include/cairo"]},
        "C.Strange": {"otherArguments": "none"}}}
      """)
    let description = BuildDescription(folder: folder.path)
    #expect(
      description.clangFlags(of: ["Drawing"]) == [
        "-Xcc", "-I/usr/include/pango", "-Xcc", "-fmodule-map-file=/sources/C/module.modulemap",
        "-Xcc", "-I/usr/include/cairo",
      ])
    #expect(description.clangFlags(of: ["Other", "Drawing"]).count == 8)
    #expect(description.clangFlags(of: []).isEmpty)
    #expect(description.clangFlags(of: ["Nobody"]).isEmpty)
  }

  @Test(arguments: ["", "[]", "{}", "{\"swiftCommands\": []}", "{\"swiftCommands\": {\"a\": 1}}"])
  func `without a known description nothing is found`(text: String) throws {
    let folder = try TemporaryFolder()
    #expect(BuildDescription(folder: folder.path).clangFlags(of: ["Drawing"]).isEmpty)
    try folder.write("description.json", text)
    #expect(BuildDescription(folder: folder.path).clangFlags(of: ["Drawing"]).isEmpty)
  }
}
