import AsyncPatterns
import FileWriting

extension Options {
  /// The files that options write when the program ends.
  var destinations: [(option: String, path: String)] {
    [("--save", save), ("--report", report)].compactMap { option, path in
      path.map { (option, $0) }
    }
  }

  /// - Throws: a `CommandError` if a destination is not a file, has no name or cannot be written, or if both are the
  ///   same file. It also throws if the name of a destination is for another kind of file, or if a file of another
  ///   kind would be replaced.
  func checkDestinations() throws(CommandError) {
    for (option, file) in destinations where file == "-" {
      throw CommandError(
        "\(option) writes a file, but “-” is standard output",
        hint: "name a file; --json prints the result of each run")
    }
    for (option, file) in destinations where file.isEmpty {
      throw CommandError(
        "\(option) needs the name of a file, but the name is empty",
        hint: "write it after the option: \(option) FILE")
    }
    if let save, let report, FilePath.isSamePlace(save, report) {
      throw CommandError(
        "--save “\(save)” and --report “\(report)” are the same file, so the page would replace the runs",
        hint: "name two files: --save FILE.runs --report FILE.html")
    }
    if let save { try WrittenKind.runs.check(save, of: "--save") }
    if let report { try WrittenKind.page.check(report, of: "--report") }
    for (_, file) in destinations {
      do throws(FileReplacement.Fault) {
        try FileReplacement(FilePath.resolve(file)).check()
      } catch {
        throw CommandError("\(file): it cannot be written: \(error.reason)")
      }
    }
  }
}
