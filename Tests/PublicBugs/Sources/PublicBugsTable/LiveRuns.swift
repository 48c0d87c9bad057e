import PublicBugs

/// Runs of the code with the bug, on Swift's own pool of threads and in real time.
struct LiveRuns {
  private let bug: PublicBug
  /// After this time a run counts as hanging. A run that does not hang takes a few milliseconds.
  private let limit = Duration.milliseconds(250)

  init(of bug: PublicBug) { self.bug = bug }

  /// Returns how many of the runs show the bug.
  func symptoms(in runs: Int) async -> Int {
    var symptoms = 0
    for _ in 0..<runs where await showsSymptom() { symptoms += 1 }
    return symptoms
  }

  private func showsSymptom() async -> Bool {
    let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
    // A run that hangs is left behind.
    Task.detached { [bug] in
      do {
        try await bug.run(.before)
        outcome.yield(false)
      } catch {
        outcome.yield(true)
      }
    }
    let timer = Task.detached { [limit] in
      if (try? await Task.sleep(for: limit)) != nil { outcome.yield(true) }
    }
    defer { timer.cancel() }
    return await outcomes.first { _ in true } ?? true
  }
}
