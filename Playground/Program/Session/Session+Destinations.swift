extension Session {
  /// - Throws: an error if an option writes the same file at the end of the program: one would replace the other.
  func keepOptionFiles(from file: String) throws(CommandError) {
    for (option, path) in optionFiles where FilePath.isSamePlace(file, path) {
      throw CommandError(
        "“\(file)” is the file that \(option) writes, so one would replace the other",
        hint: "name another file")
    }
  }
}
