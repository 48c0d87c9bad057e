import TimingTrace

/// Saves runs to files that the user names, and describes the result. Without any run, an existing file is left
/// unchanged: a script without runs must not overwrite older ones.
extension SavedRuns {
  /// Writes the runs to a file.
  ///
  /// - Returns: a sentence about the result.
  func save(to path: String) throws -> String {
    guard !runs.isEmpty else { throw CommandError.noRun(to: "save", in: path) }
    try write(to: FilePath.resolve(path))
    return SavedRuns.saying(runs.count, in: path)
  }

  /// The sentence about runs that were saved to a file.
  static func saying(_ count: Int, in path: String) -> String {
    "saved \(count.of("run")) to \(path)"
  }
}

extension HTMLReport {
  /// Writes the report to a file.
  ///
  /// - Returns: a sentence about the result.
  func save(to path: String) throws -> String {
    let count = runs.count { !$0.isWarmUp }
    guard count > 0 else { throw CommandError.noRun(to: "report", in: path) }
    try write(toFile: FilePath.resolve(path))
    let compared = comparisons.isEmpty ? "" : " and \(comparisons.count.of("comparison"))"
    return "reported \(count.of("run"))\(compared) to \(path)"
  }
}

extension CommandError {
  fileprivate static func noRun(to verb: String, in path: String) -> CommandError {
    CommandError(
      "there is no run to \(verb) yet"
        + (FilePath.exists(path) ? ", so “\(path)” was left unchanged" : ""))
  }
}
