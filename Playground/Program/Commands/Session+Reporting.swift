import TimingTrace

/// What is made of runs for people to look at.
extension Session {
  /// Writes a page with all runs of the session, and the comparisons that were made in it.
  func report(to path: String) {
    do {
      console.say(
        try Report(
          runs: log.comparedRuns + runs.map(\.saved), comparisons: log.comparisons
        ).save(to: path))
    } catch {
      fail(error)
    }
  }
}
