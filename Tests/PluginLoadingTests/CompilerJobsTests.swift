import Testing

@testable import PluginLoading

@Suite struct CompilerJobsTests {
  @Test(arguments: [
    ("a b", ["a", "b"]), ("a  'b c' d\\ e", ["a", "b c", "d e"]), ("\"a'b\" ''", ["a'b", ""]),
    ("a\\\"b", ["a\"b"]),
  ])
  func `a command is split as a shell does`(_ line: String, _ words: [String]) {
    #expect(CompilerJobs.words(line[...]) == words)
  }

  @Test func `the commands are made for another module`() throws {
    let lines = """
      /bin/swift-frontend -frontend -c /scratch/PlaceholderModule.swift -module-name PlaceholderModule -o /scratch/t/PlaceholderModule-1.o
      /bin/clang -shared /scratch/t/PlaceholderModule-1.o -o /scratch/PlaceholderModule.so
      """
    let jobs = try #require(CompilerJobs(lines, scratch: "/scratch"))
    let commands = jobs.commands(
      for: "M", of: ["/x/a.swift", "/x/b.swift"], flags: ["-f"], linking: ["/y.so"], in: "/n")
    #expect(
      commands == [
        [
          "/bin/swift-frontend", "-frontend", "-c", "/x/a.swift", "/x/b.swift", "-module-name", "M",
          "-o", "/n/t/M-1.o", "-f",
        ],
        ["/bin/clang", "-shared", "/n/t/M-1.o", "-o", "/n/M.so", "/y.so"],
      ])
    #expect(jobs.folders(in: "/n") == ["/n", "/n/t"])
  }

  @Test(arguments: ["", "ls", "/bin/swift-frontend -frontend -c other.swift\nclang -o x.so"])
  func `commands of another form are left to the driver`(_ lines: String) {
    #expect(CompilerJobs(lines, scratch: "/scratch") == nil)
  }
}
