import AsyncPatterns
import InMemoryTracing
import Testing
import TimingTrace
import TimingTraceBridge
import Tracing

/// A recorder with a tracer for one test. No tracer is installed for the process.
struct Traced {
  let recorder = Recorder(clock: .live)
  let tracer: TimingTracer

  init() { tracer = TimingTracer(recorder) }

  var trace: ProgramTrace { ProgramTrace(recorder, name: "test") }
  var record: RunRecord { trace.record }

  func step(_ label: String) -> StepRecord? { record.steps(matching: label).first }

  /// “name: detail” of the marks of a span.
  func marks(of label: String) -> [String] {
    let events = trace.events
    let span = events.first { $0.kind == .submitted && $0.name == label }?.span
    return events.filter { $0.kind == .mark && $0.span == span }
      .map { "\($0.name): \($0.detail)" }
  }
}

struct Broken: Error, CustomStringConvertible {
  var description: String { "the line is broken" }
}

/// Suspends its callers until a given number of them have arrived.
actor Meeting {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(of count: Int) { missing = count }

  func arrive() async {
    missing -= 1
    guard missing > 0 else {
      for one in waiting { one.resume() }
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }
}

/// Runs a step until it and all its remaining work have ended.
func outcome(of step: Step, on runtime: any Runtime) async -> Result<Value, any Error> {
  await withCheckedContinuation { continuation in
    Run(step, on: runtime) { continuation.resume(returning: $0) }
  }
}

/// Makes a pattern of a plugin as a script does.
func pattern(
  _ name: String, of plugin: any Plugin.Type, _ arguments: Arguments = Arguments()
) throws -> any AsyncPattern {
  let found = plugin.patterns.first { $0.manual.name == name }
  return try #require(found).init(arguments)
}

extension InMemoryTracer {
  func span(_ name: String) -> FinishedInMemorySpan? {
    finishedSpans.first { $0.operationName == name }
  }

  /// The name of each span's parent, by the span's own name.
  var parents: [String: String] {
    let names = Dictionary(
      uniqueKeysWithValues: finishedSpans.map { ($0.spanID, $0.operationName) })
    var parents: [String: String] = [:]
    for span in finishedSpans {
      parents[span.operationName] = span.parentSpanID.flatMap { names[$0] } ?? "–"
    }
    return parents
  }

  /// “from → to kind” of all links.
  var links: [String] {
    let names = Dictionary(
      uniqueKeysWithValues: finishedSpans.map { ($0.spanID, $0.operationName) })
    return finishedSpans.flatMap { span in
      span.links.map { link in
        let from = link.context.inMemorySpanContext.flatMap { names[$0.spanID] } ?? "?"
        let kind = link.attributes.get("edge.kind").map { "\($0)" } ?? "?"
        return "\(from) → \(span.operationName) \(kind)"
      }
    }.sorted()
  }
}

extension FinishedInMemorySpan {
  var start: UInt64 { startInstant.nanosecondsSinceEpoch }
  var end: UInt64 { endInstant.nanosecondsSinceEpoch }
}
