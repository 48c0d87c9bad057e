internal import AsyncPatterns
public import Logging
internal import Tracing

/// Records each log line of a program as a mark on the span in whose context it is logged.
///
/// ```swift
/// LoggingSystem.bootstrap { label in
///   TimingLogHandler(label, tracer: tracer, then: StreamLogHandler.standardError(label: label))
/// }
/// ```
///
/// The name of the mark is `log.` followed by the level. The mark contains the label, the message, the error if there
/// is one, and the metadata by key. A line that is logged outside any span gets a mark without a span. The lines of a
/// step belong to the step if its code runs in ``AsyncPatterns/Scope/serviceContext``.
public struct TimingLogHandler: LogHandler {
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  public var logLevel: Logger.Level {
    didSet { next?.logLevel = logLevel }
  }

  private let label: String
  private let tracer: TimingTracer
  private var next: (any LogHandler)?

  /// - Parameters:
  ///   - label: the label of the logger.
  ///   - tracer: the tracer whose trace gets the marks.
  ///   - next: a log handler that gets the same lines, with the metadata of the logger.
  public init(
    _ label: String, tracer: TimingTracer, then next: (any LogHandler)? = nil,
    metadataProvider: Logger.MetadataProvider? = nil
  ) {
    self.label = label
    self.tracer = tracer
    self.next = next
    self.metadataProvider = metadataProvider
    logLevel = next?.logLevel ?? .info
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    // Metadata that is closer to the line takes precedence.
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let own = event.metadata { all.merge(own) { $1 } }
    let place = ServiceContext.current?.tracePlace.flatMap { $0.sink === tracer.sink ? $0 : nil }
    var detail = "\(label): \(event.message)"
    if let error = event.error { detail += " error=\(error)" }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) { detail += " \(key)=\(value)" }
    tracer.sink.record(
      .mark(
        "log.\(event.level.rawValue)", detail, of: place?.span ?? .none,
        at: tracer.clock.runtime.now))
    guard let next else { return }
    var passedOn = event
    passedOn.metadata = all.isEmpty ? nil : all
    next.log(event: passedOn)
  }
}
