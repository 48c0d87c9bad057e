public import Testing
public import TimingTrace

// Short names for the samples in test logs: their contents are too long, and some of them are not text.

extension SavedRun: CustomTestStringConvertible {
  public var testDescription: String { "\(record.steps.count) steps of \(record.pattern)" }
}

extension EventScript: CustomTestStringConvertible {
  var testDescription: String { "\(events.count) events" }
}
