import Testing

/// What `help` prints about each pattern that comes with the program, from one run of the program.
enum PatternHelp {
  /// The texts by the names of the patterns.
  static func texts() async throws -> [String: String] { try await printed.value }

  static func text(_ name: String) async throws -> String {
    try #require(try await texts()[name], "there is no pattern “\(name)”")
  }

  private static let printed = Task {
    let home = try PlaygroundHome()
    let table = try await home.eval("load; patterns")
    try #require(table.code == 0, "\(table)")
    let names = table.output.split(separator: "\n").dropFirst().compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
    let end = "end of the text"
    let help = try await home.eval(
      "load\n" + names.map { "help \($0)\nprint \"\(end)\"\n" }.joined())
    try #require(help.code == 0, "\(help)")
    let texts = help.output.split(separator: end + "\n", omittingEmptySubsequences: false)
    try #require(texts.count == names.count + 1)
    return Dictionary(uniqueKeysWithValues: zip(names, texts.map(String.init)))
  }
}
