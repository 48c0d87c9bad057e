extension StepRecord {
  /// How long it took, how it ended if it did not succeed, and whether it kept running after it was cancelled.
  func note(end: Int64, isUnderWay: Bool) -> String {
    let taken = duration ?? started.map { end.subtractingClamped($0) } ?? 0
    let text = taken.durationText
    let note =
      switch outcome {
      case .success: text
      case .failure: timedOut == nil ? "\(text) failed" : "\(text) timed out"
      case .cancelled:
        started == nil ? "cancelled" : "\(text) \(timedOut == nil ? "cancelled" : "timed out")"
      case .unfinished:
        waitsFor.map { "\(text), waits for \($0)" }
          ?? (isUnderWay ? "\(text) so far" : "\(text) unfinished")
      case .skipped: "skipped"
      case .waiting: isUnderWay ? "" : "waiting"
      }
    return finished != nil && keptRunning != nil ? "\(note), kept running" : note
  }
}
