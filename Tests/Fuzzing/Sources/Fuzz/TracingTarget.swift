import Logging
import TimingTraceBridge
import Tracing

@testable import TimingTrace
@testable import TraceAnalysis

/// Takes any bytes as calls of swift-distributed-tracing and swift-log, and shows and saves the recorded trace.
enum TracingTarget {
  static func run(_ bytes: [UInt8]) -> Int32 {
    var program = TracedProgram(InputBytes(bytes))
    while !program.isComplete { program.step() }
    let trace = program.trace
    let saved = SavedRuns(runs: [trace.run])
    RunsTarget.show(saved, isExporting: false)
    // The events of several threads are recorded in any order, and reading sorts them.
    do throws(SavedRunsError) { SavingTarget.compare(try SavedRuns(bytes: saved.bytes)) } catch {
      fatalError(
        "a saved trace cannot be read: \(error)\n\(String(decoding: saved.bytes, as: UTF8.self))")
    }
    trace.record.send(to: program.tracer, in: .topLevel, startingAt: trace.start)
    return 0
  }
}

/// The bytes of an input, taken piece by piece. After the end, they are zero.
struct InputBytes {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func index(below count: Int) -> Int { Int(byte()) % count }

  mutating func number() -> UInt64 { (0..<8).reduce(0) { sum, _ in sum << 8 | UInt64(byte()) } }

  mutating func text() -> String {
    let count = index(below: 24)
    defer { rest = rest.dropFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }
}

/// A program whose calls follow an input.
private struct TracedProgram {
  private let recorder = Recorder(clock: .live)
  let tracer: TimingTracer
  private let log: Logger
  private var input: InputBytes
  private var spans: [TimingSpan] = []

  init(_ input: InputBytes) {
    self.input = input
    let tracer = TimingTracer(recorder)
    self.tracer = tracer
    log = Logger(label: "fuzz") { TimingLogHandler($0, tracer: tracer) }
  }

  var isComplete: Bool { input.isEmpty }
  var trace: ProgramTrace { ProgramTrace(recorder, name: "fuzz") }

  private struct Broken: Error {}

  mutating func step() {
    let action = input.index(below: 10)
    guard action > 0, !spans.isEmpty else { return start() }
    let index = input.index(below: spans.count)
    let span = spans[index]
    switch action {
    case 1: span.end(at: time())
    case 2: span.operationName = input.text()
    case 3: span.attributes[input.text()] = attribute()
    case 4:
      span.addEvent(
        SpanEvent(name: input.text(), at: time(), attributes: [input.text(): attribute()]))
    case 5: span.addLink(SpanLink(context: context(), attributes: ["edge.kind": attribute()]))
    case 6: span.recordError(input.byte() & 1 == 0 ? Broken() : CancellationError() as any Error)
    case 7:
      span.setStatus(SpanStatus(code: input.byte() & 1 == 0 ? .ok : .error, message: input.text()))
    case 8:
      ServiceContext.withValue(span.context) {
        log.error("\(input.text())", metadata: [input.text(): .string(input.text())])
      }
    default: spans.remove(at: index)
    }
  }

  private mutating func start() {
    let kinds: [SpanKind] = [.server, .client, .producer, .consumer, .internal]
    let place = context()
    let kind = kinds[input.index(below: kinds.count)]
    spans.append(
      tracer.startSpan(
        input.text(), context: place, ofKind: kind, at: time(), function: "f", file: "x", line: 1))
    if spans.count > 24 { spans.removeFirst() }
  }

  private mutating func context() -> ServiceContext {
    let chosen = input.index(below: spans.count + 1)
    return chosen < spans.count ? spans[chosen].context : .topLevel
  }

  private mutating func time() -> DefaultTracerClock.Timestamp {
    input.byte() & 3 == 0
      ? .init(nanosecondsSinceEpoch: input.number()) : DefaultTracerClock.now
  }

  private mutating func attribute() -> SpanAttribute {
    switch input.index(below: 5) {
    case 0: .int64(Int64(bitPattern: input.number()))
    case 1: .double(Double(bitPattern: input.number()))
    case 2: .bool(true)
    case 3: .stringArray([input.text(), input.text()])
    default: .string(input.text())
    }
  }
}
