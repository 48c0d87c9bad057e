import Testing

/// The error if a file cannot be written: the reason and the fix.
@Suite struct UnwritableFileTests {
  private static let faults: [(file: String, said: String)] = [
    (".", "it is a folder; name a file in it"),
    ("none/a.png", "there is no folder “none”; create it, or name a file elsewhere"),
    ("file/a.png", "“file” is not a folder; name a file elsewhere"),
  ]

  private static let full = "/dev/full"
  private static let noRoom = "no space is left there; free some, or name a file elsewhere"

  private func home() throws -> PlaygroundHome {
    let home = try PlaygroundHome()
    try home.write("", to: "file")
    return home
  }

  @Test(
    arguments: faults
      + [(full, noRoom), ("none/", "that is the name of a folder; name a file in it")])
  func `saving or reporting to an unwritable file is an error`(
    file: String, said: String
  ) async throws {
    // Both options would refuse a name that ends in “.png”.
    let file = file.replacing(".png", with: "")
    for option in ["--save", "--report"] {
      let outcome = try await home().eval("value 1; print \"it ran\"", option, file)
      #expect(outcome.code == 2, "\(outcome)")
      #expect(outcome.errors == "error: \(file): it cannot be written: \(said)\n")
      // If it is known beforehand that a file cannot be written, the error comes before the script runs.
      #expect(outcome.output.contains("it ran") == (file == Self.full), "\(outcome)")
    }
  }

  @Test(arguments: faults)
  func `a step that writes to an unwritable file fails`(file: String, said: String) async throws {
    let home = try home()
    let runs = try await home.run([
      "--json", "eval",
      "load AsyncRender; value 1; write \"\(file)\"; render(save: \"\(file)\") { value 1 }",
    ]).records("run")
    // The error names a picture by its whole path.
    let errors = runs.compactMap {
      $0.string("error")?.replacing(home.workingFolder + "/", with: "")
    }
    #expect(errors.count == 2 && errors.allSatisfy { $0.hasSuffix(said) }, "\(errors)")
  }

  @Test func `a picture on a full disk is an error`() async throws {
    let outcome = try await home().run([
      "--json", "eval", "load AsyncRender; render(save: \"\(Self.full)\") { value 1 }",
    ])
    let error = try #require(try outcome.records("run").first?.string("error"))
    #expect(error == "the picture cannot be written to “\(Self.full)”: \(Self.noRoom)")
  }

  @Test(arguments: faults)
  func `an export to an unwritable file is an error`(file: String, said: String) async throws {
    let home = try home()
    #expect(try await home.eval("value 1", "--save", "a.runs").code == 0)
    for format in ["png", "svg", "chrome", "html", "csv"] {
      let outcome = try await home.run([
        "trace", "export", "a.runs", "--format", format, "-o", file,
      ])
      #expect(outcome.code == 2, "\(outcome)")
      #expect(outcome.errors == "error: \(file): it cannot be written: \(said)\n")
    }
  }
}
