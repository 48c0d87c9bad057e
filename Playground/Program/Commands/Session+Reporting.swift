import TimingTrace

/// `trace export FILE.html`: reports of the session.
extension Session {
  /// Writes a page with all runs and all comparisons of the session.
  func report(to path: String) {
    do {
      console.say(
        try HTMLReport(
          runs: log.comparedRuns + runs.map(\.saved), comparisons: log.comparisons
        ).save(to: path))
      sayRemoved()
    } catch {
      fail(error)
    }
  }
}
