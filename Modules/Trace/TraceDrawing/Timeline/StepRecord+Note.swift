extension StepRecord {
  /// How a step stands that has not succeeded. Rows of several steps count them in this order.
  enum Fate: String, CaseIterable {
    case failed
    case timedOut = "timed out"
    case cancelled, unfinished, running, skipped, waiting
  }

  /// Nil if it succeeded.
  func fate(isUnderWay: Bool) -> Fate? {
    switch outcome {
    case .success: nil
    case .failure: timedOut == nil ? .failed : .timedOut
    case .cancelled: started == nil || timedOut == nil ? .cancelled : .timedOut
    case .unfinished: isUnderWay ? .running : .unfinished
    case .skipped: .skipped
    case .waiting: .waiting
    }
  }

  /// How long it took, how it ended if it did not succeed, and whether it kept running after it was cancelled.
  func note(end: Int64, isUnderWay: Bool) -> String {
    let taken = duration ?? started.map { end.subtractingClamped($0) } ?? 0
    let text = taken.durationText
    let note =
      switch fate(isUnderWay: isUnderWay) {
      case nil: text
      case .running: waitsFor.map { "\(text), waits for \($0)" } ?? "\(text) so far"
      case .unfinished: waitsFor.map { "\(text), waits for \($0)" } ?? "\(text) unfinished"
      case .waiting where isUnderWay: ""
      case .failed: "\(text) failed"
      case let fate?: started == nil ? fate.rawValue : "\(text) \(fate.rawValue)"
      }
    return finished != nil && keptRunning != nil ? "\(note), kept running" : note
  }
}
