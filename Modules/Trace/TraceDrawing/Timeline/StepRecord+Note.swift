extension StepRecord {
  /// How long it took, and how it ended if it did not succeed.
  func note(on clock: ClockKind, end: Int64, isUnderWay: Bool) -> String {
    let taken = duration ?? started.map { end.subtractingClamped($0) } ?? 0
    let text = Duration.nanoseconds(taken).shortDescription
    if let finished, keptRunningFrom(on: clock, until: finished) != nil {
      return "\(text) kept running"
    }
    return switch outcome {
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
  }
}
