internal import TraceBasics

/// Runs in OpenTelemetry's protocol as JSON. Each run is a trace. Each step is a span: its waits are links, and its
/// marks are events.
///
/// The format: `opentelemetry-proto`, `trace/v1/trace.proto`, in its JSON mapping: identities in hexadecimal, 64-bit
/// integers as strings, enumerations as numbers.
enum OTLPTrace {
  /// - Parameter start: when each run started, in nanoseconds since 1970.
  static func write(_ runs: [SavedRun], startingAt start: Int64, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.list("resourceSpans", runs.enumerated()) { writer, run in
        OTLPRun(run.element, number: run.offset, start: start).write(to: &writer)
      }
    }
  }
}

/// Writes one run as a trace. It is a class because thousands of closures capture it.
private final class OTLPRun {
  private let run: TraceReading
  private let start: Int64
  private let traceIdentity: String
  private let spanPrefix: UInt64
  /// The edges to the spans that are not written yet, in the order of these spans.
  private var edges: ArraySlice<SpanTable.Edge>
  private var marks: [Int: [TraceEvent]] = [:]

  init(_ saved: SavedRun, number: Int, start: Int64) {
    run = TraceReading(saved)
    // The sort is stable.
    edges = run.table.edges.sorted { $0.to < $1.to }[...]
    self.start = start
    // If the export is repeated, a run gets the same identities.
    let name = Hash("\(number) \(saved.source) \(run.record.name) \(run.events.count) \(start)")
    traceIdentity = name.value.hexadecimal + Hash("\(name.value)").value.hexadecimal
    spanPrefix = Hash("spans \(name.value)").value | 1 << 63
    for event in run.events where event.kind == .mark || event.kind == .misuse {
      guard let node = run.table[event.span] else { continue }
      marks[node, default: []].append(event)
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("resource") { writer in
        writer.attributes { writer in
          writer.attribute("service.name", run.record.name)
          writer.attribute("asynchronous_pattern.clock", run.record.clock.rawValue)
        }
      }
      writer.objects("scopeSpans", [run.table.nodes.indices]) { writer, spans in
        writer.object("scope") { $0.field("name", "asynchronous-patterns") }
        writer.list("spans", spans) { self.write(span: $1, to: &$0) }
      }
    }
    writer.endLine()
  }

  private func identity(of node: Int) -> String { (spanPrefix ^ UInt64(node)).hexadecimal }

  private func time(_ time: Int64) -> String { String(start.addingClamped(run.relative(time))) }

  private func write(span index: Int, to writer: inout JSONWriter) {
    let node = run.table.nodes[index]
    let started = run.table.startTime(of: index)
    let from = started ?? run.table.submitTime(of: index)
    let to = max(started == nil ? from : run.table.finishTime(of: index) ?? run.end, from)
    let outcome = run.outcome(of: index)
    let links = edges.prefix { $0.to == index }
    edges = edges.dropFirst(links.count)
    writer.object { writer in
      writer.field("traceId", traceIdentity)
      writer.field("spanId", identity(of: index))
      if let parent = node.parent { writer.field("parentSpanId", identity(of: parent)) }
      writer.field("name", run.table.label(of: index))
      writer.field("kind", 1)
      writer.field("startTimeUnixNano", time(from))
      writer.field("endTimeUnixNano", time(to))
      writer.attributes { writer in
        writer.attribute("step.path", run.name(of: index))
        writer.attribute("step.pattern", run.table.kind(of: index))
        writer.attribute("step.outcome", outcome.rawValue)
        if let lane = run.step(of: index)?.lane { writer.attribute("step.lane", lane) }
        writer.attribute("step.submitted_ns", run.relative(run.table.submitTime(of: index)))
        writer.attribute("step.work_ns", node.work)
        writer.attribute("step.blocked_ns", node.details?.blocked ?? 0)
        let late = run.table.lateness(of: index)
        if late > 0 { writer.attribute("step.late_ns", late) }
      }
      if let marks = marks[index] {
        writer.objects("events", marks) { writer, mark in
          writer.field("timeUnixNano", time(mark.time.nanoseconds))
          writer.field("name", mark.name)
          writer.attributes { $0.attribute("detail", mark.detail) }
        }
      }
      if !links.isEmpty {
        writer.objects("links", links) { writer, edge in
          writer.field("traceId", traceIdentity)
          writer.field("spanId", identity(of: edge.from))
          writer.attributes { $0.attribute("edge.kind", edge.kind.rawValue) }
        }
      }
      writer.object("status") { writer in
        // The status is ok, error, or not set. A cancellation is not an error.
        switch outcome {
        case .success: writer.field("code", 1)
        case .failure:
          writer.field("code", 2)
          writer.field("message", node.details?.reason ?? "")
        case .cancelled, .unfinished, .skipped, .waiting: break
        }
      }
    }
    writer.endLine()
  }
}

/// FNV-1a, 64 bits, mixed at the end. The values only need to differ.
private struct Hash {
  let value: UInt64

  init(_ text: String) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= hash >> 32
    // An identity of zeros is invalid.
    value = hash == 0 ? 1 : hash
  }
}

extension UInt64 {
  fileprivate var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension JSONWriter {
  fileprivate mutating func attributes(_ body: (inout JSONWriter) -> Void) {
    key("attributes")
    array(body)
  }

  fileprivate mutating func attribute(_ name: StaticString, _ string: String) {
    attribute(name) { $0.field("stringValue", string) }
  }

  fileprivate mutating func attribute(_ name: StaticString, _ integer: Int64) {
    attribute(name) { $0.field("intValue", String(integer)) }
  }

  private mutating func attribute(_ name: StaticString, _ value: (inout JSONWriter) -> Void) {
    object { writer in
      writer.field("key", name.description)
      writer.object("value", value)
    }
  }
}
