import TimingTrace

/// Runs in files that somebody named, and what is said of them. Where there is no run, what the file holds is left
/// as it is: a script that came to nothing is no reason to lose it.
extension SavedRuns {
  /// Writes them to a file.
  ///
  /// - Returns: what is to be said of that.
  func save(to path: String) throws -> String {
    guard !runs.isEmpty else { throw CommandError.noRun("saved", to: path) }
    try write(to: FilePath.resolve(path))
    return SavedRuns.saying(runs.count, in: path)
  }

  /// What is said of so many runs that a file has got.
  static func saying(_ count: Int, in path: String) -> String {
    "saved \(count.of("run")) to \(path)"
  }
}

extension Report {
  /// Writes it to a file.
  ///
  /// - Returns: what is to be said of that.
  func save(to path: String) throws -> String {
    let count = runs.count { !$0.isWarmUp }
    guard count > 0 else { throw CommandError.noRun("reported", to: path) }
    try write(toFile: FilePath.resolve(path))
    let compared = comparisons.isEmpty ? "" : " and \(comparisons.count.of("comparison"))"
    return "reported \(count.of("run"))\(compared) to \(path)"
  }
}

extension CommandError {
  fileprivate static func noRun(_ done: String, to path: String) -> CommandError {
    CommandError(
      "there is no run yet to be \(done)"
        + (FilePath.exists(path) ? ", and “\(path)” is left as it was" : ""))
  }
}
