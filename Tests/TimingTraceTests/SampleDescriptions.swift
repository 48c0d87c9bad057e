public import Testing
public import TimingTrace

// What a log calls the samples: all that is in them is too long for it, and some of it is no text.

extension SavedRun: CustomTestStringConvertible {
  public var testDescription: String { "\(record.steps.count) steps of \(record.pattern)" }
}

extension EventScript: CustomTestStringConvertible {
  var testDescription: String { "\(events.count) events" }
}
