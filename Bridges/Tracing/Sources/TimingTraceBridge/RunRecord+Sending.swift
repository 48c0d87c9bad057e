internal import AsyncPatterns
public import TimingTrace
public import Tracing

extension RunRecord {
  /// Sends a finished run to a tracer.
  ///
  /// The tracer gets a span for the run and one for each step that started, with the times of the record. Edges are
  /// sent as links. Findings, and intervals in which a thread was blocked or the step waited for its lane, are sent as
  /// events.
  ///
  /// Status and attributes are those that `TracerSink` sends. Only `step.path` and `step.critical` are added, and
  /// `step.list` is missing. A step that never finished ends with the run, with the outcome `unfinished`.
  ///
  /// - Parameters:
  ///   - tracer: the receiving tracer; nil means the installed one. Without a tracer nothing happens.
  ///   - context: the context that contains the parent of the run.
  ///   - start: the start of the run, in nanoseconds since 1970.
  /// - Complexity: O(n) in the number of steps, edges and intervals.
  public func send(
    to tracer: (any Tracer)? = nil, in context: ServiceContext = .current ?? .topLevel,
    startingAt start: Int64
  ) {
    let tracer = tracer ?? InstrumentationSystem.tracer
    guard !(tracer is NoOpTracer) else { return }
    var sending = RecordSending(self, to: tracer, start: start)
    sending.startSpans(in: context)
    sending.addLinks()
    sending.addEvents()
    sending.endSpans()
  }
}

/// The state while a record is sent.
private struct RecordSending {
  private let record: RunRecord
  private let tracer: any Tracer
  private let start: Int64
  private var run: (any Tracing.Span)?
  /// The spans of the steps that started.
  private var spans: [(any Tracing.Span)?] = []
  private var labels: [String: (any Tracing.Span)?] = [:]
  private var paths: [String: any Tracing.Span] = [:]

  init(_ record: RunRecord, to tracer: any Tracer, start: Int64) {
    self.record = record
    self.tracer = tracer
    self.start = start
  }

  private func timestamp(_ time: Int64) -> DefaultTracerClock.Timestamp {
    let (sum, overflow) = start.addingReportingOverflow(time)
    return .init(nanosecondsSinceEpoch: UInt64(clamping: overflow ? .max : sum))
  }

  private func startSpan(
    _ name: String, in context: ServiceContext, at time: Int64, _ attributes: SpanAttributes
  ) -> any Tracing.Span {
    let span = tracer.startSpan(
      name, context: context, ofKind: .internal, at: timestamp(time), function: "", file: "",
      line: 0)
    span.updateAttributes { $0.merge(attributes) }
    return span
  }

  mutating func startSpans(in context: ServiceContext) {
    let run = startSpan(record.name, in: context, at: 0, ["step.pattern": .string(record.pattern)])
    self.run = run
    paths[record.pattern] = run
    for step in record.steps {
      guard let started = step.started else {
        spans.append(nil)
        continue
      }
      let parent = step.parent.flatMap { spans[$0] } ?? run
      var attributes: SpanAttributes = [
        "step.path": .string(step.path), "step.pattern": .string(step.pattern),
        "step.outcome": .string(step.outcome.rawValue), "step.submitted_ns": .int64(step.submitted),
        "step.work_ns": .int64(step.work), "step.blocked_ns": .int64(step.blocked),
      ]
      if let lane = step.lane { attributes["step.lane"] = lane }
      if step.late > 0 { attributes["step.late_ns"] = step.late }
      if step.isCritical { attributes["step.critical"] = true }
      let span = startSpan(step.label, in: parent.context, at: started, attributes)
      spans.append(span)
      paths[step.path] = span
    }
    for (step, span) in zip(record.steps, spans) {
      // A label that several steps share identifies none of them.
      let isKnown = labels[step.label] != nil
      labels.updateValue(isKnown ? nil : span, forKey: step.label)
    }
  }

  /// The span of the step that the record calls `name`; nil if none is known. The run's own step may be unknown: the
  /// record calls it by its label, but does not list it.
  private func span(_ name: String) -> (any Tracing.Span)? {
    paths[name] ?? (labels[name] ?? nil)
  }

  func addLinks() {
    for edge in record.edges {
      guard let source = span(edge.from) ?? run, let target = span(edge.to) ?? run else { continue }
      target.addLink(
        SpanLink(
          context: source.context,
          attributes: [EdgeRecord.attribute: .string(edge.kind.rawValue)]))
    }
  }

  func addEvents() {
    for interval in record.intervals {
      (paths[interval.step] ?? run)?.addEvent(
        SpanEvent(
          name: interval.kind.rawValue, at: timestamp(interval.from),
          attributes: ["duration_ns": .int64(interval.to - interval.from)]))
    }
    for lint in record.lints {
      for step in lint.steps {
        (paths[step] ?? run)?.addEvent(
          SpanEvent(
            name: lint.rule, at: timestamp(record.makespan),
            attributes: ["detail": .string(lint.message), "misuse": .bool(true)]))
      }
    }
  }

  /// Ends children before their parents.
  func endSpans() {
    for (step, span) in zip(record.steps, spans).reversed() {
      guard let span else { continue }
      set(step.outcome == .failure, step.error, step.outcome == .success, on: span)
      span.end(at: timestamp(max(step.finished ?? record.makespan, step.started ?? 0)))
    }
    guard let run else { return }
    run.updateAttributes { $0["step.outcome"] = record.outcome.rawValue }
    set(record.outcome == .failure, record.error, record.outcome == .success, on: run)
    run.end(at: timestamp(record.makespan))
  }

  private func set(
    _ hasFailed: Bool, _ error: String?, _ hasSucceeded: Bool, on span: any Tracing.Span
  ) {
    if hasFailed { span.setStatus(SpanStatus(code: .error, message: error)) }
    if hasSucceeded { span.setStatus(SpanStatus(code: .ok)) }
  }
}
