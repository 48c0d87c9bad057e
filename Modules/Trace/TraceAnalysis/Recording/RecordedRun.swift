/// The result of recorded code, and the recording: see `Recorder.record(_:on:limit:_:)`.
public struct RecordedRun<Success: Sendable>: Sendable {
  /// The value that the code returned, or the error that it threw.
  public let result: Result<Success, any Error>
  /// The run in the form in which a file stores it.
  public let saved: SavedRun

  /// Its name, outcome, steps and findings.
  public var record: RunRecord { saved.record }
  /// The events from which the record was made.
  public var events: [TraceEvent] { saved.events }

  /// The value that the code returned. Throws the error that the code threw.
  public var value: Success {
    get throws { try result.get() }
  }
}

extension RecordedRun {
  init(
    _ name: String, _ result: Result<Success, any Error>, _ recorder: Recorder, _ clock: ClockKind
  ) {
    self.result = result
    let events = recorder.events
    let record = RunRecord(
      storedEvents: events, name: name, clock: clock, result: result.map { $0 as? Value ?? .none },
      dropped: recorder.dropped)
    saved = SavedRun(
      name: name, source: name, composition: name, record: record, storedEvents: events)
  }
}
