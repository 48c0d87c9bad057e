internal import AsyncPatterns

/// Runs in OpenTelemetry's protocol as JSON: each run a trace, each step that started a span, what it waited
/// for its links, what happened meanwhile its events.
///
/// The format: `opentelemetry-proto`, `trace/v1/trace.proto`, in its JSON mapping: identities in hexadecimal,
/// 64-bit integers as strings, enumerations as numbers.
enum OTLPTrace {
  /// - Parameter start: when each run began, in nanoseconds since 1970.
  static func write(_ runs: [SavedRun], startingAt start: Int64, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("resourceSpans")
      writer.array { writer in
        for (index, run) in runs.enumerated() {
          let trace = OTLPRun(ExportedRun(run), number: index, start: start)
          trace.write(to: &writer)
        }
      }
    }
  }
}

/// A class, since closures that write have it by the thousand.
private final class OTLPRun {
  private let run: ExportedRun
  private let start: Int64
  private let traceIdentity: String
  private let spanPrefix: UInt64
  /// For each node the edges that lead to it, chained: the last one, and for each the one before.
  private var lastEdge: [Int32]
  private var edgeBefore: [Int32] = []
  private var marks: [Int: [TraceEvent]] = [:]

  init(_ run: ExportedRun, number: Int, start: Int64) {
    self.run = run
    self.start = start
    // The same run has the same identities wherever it is exported.
    let name = Hash("\(number) \(run.run.source) \(run.name) \(run.run.events.count) \(start)")
    traceIdentity = name.value.hexadecimal + Hash("\(name.value)").value.hexadecimal
    spanPrefix = Hash("spans \(name.value)").value | 1 << 63
    lastEdge = Array(repeating: -1, count: run.table.nodes.count)
    for (index, edge) in run.edges.enumerated() {
      edgeBefore.append(lastEdge[edge.to])
      lastEdge[edge.to] = Int32(index)
    }
    for event in run.run.events where event.kind == .mark || event.kind == .misuse {
      guard let node = run.table[event.span] else { continue }
      marks[node, default: []].append(event)
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("resource")
      writer.object { writer in
        writer.attributes { writer in
          writer.attribute("service.name", run.name)
          writer.attribute("asynchronous_pattern.clock", run.run.record.clock.rawValue)
        }
      }
      writer.key("scopeSpans")
      writer.array { writer in
        writer.object { writer in
          writer.key("scope")
          writer.object { $0.field("name", "asynchronous-patterns") }
          writer.key("spans")
          writer.array { writer in
            for index in run.table.nodes.indices { write(span: index, to: &writer) }
          }
        }
      }
    }
    writer.breakLine()
  }

  private func identity(of node: Int) -> String { (spanPrefix ^ UInt64(node)).hexadecimal }

  private func time(_ time: Int64) -> String { String(start.addingClamped(run.relative(time))) }

  private func write(span index: Int, to writer: inout JSONWriter) {
    let node = run.table.nodes[index]
    let from = node.started ?? node.submitted
    let to = max(node.started == nil ? from : node.finished ?? run.end, from)
    let outcome = run.outcome(of: index)
    writer.object { writer in
      writer.field("traceId", traceIdentity)
      writer.field("spanId", identity(of: index))
      if let parent = node.parent { writer.field("parentSpanId", identity(of: parent)) }
      writer.field("name", node.label)
      writer.field("kind", 1)
      writer.field("startTimeUnixNano", time(from))
      writer.field("endTimeUnixNano", time(to))
      writer.attributes { writer in
        writer.attribute("step.path", run.layout.path(of: index))
        writer.attribute("step.pattern", node.kind)
        writer.attribute("step.outcome", outcome.rawValue)
        if let lane = run.step(of: index)?.lane { writer.attribute("step.lane", lane) }
        writer.attribute("step.submitted_ns", run.relative(node.submitted))
        writer.attribute("step.work_ns", node.work)
        writer.attribute("step.blocked_ns", node.blocked)
        if let wait = run.table.endWait(of: index) { writer.attribute("step.late_ns", wait.length) }
      }
      if let marks = marks[index] {
        writer.key("events")
        writer.array { writer in for mark in marks { write(mark, to: &writer) } }
      }
      if lastEdge[index] >= 0 {
        writer.key("links")
        writer.array { writer in writeLinks(to: index, &writer) }
      }
      writer.key("status")
      writer.object { writer in
        // Ok, error, or not set: what was called off is no error.
        switch outcome {
        case .success: writer.field("code", 1)
        case .failure:
          writer.field("code", 2)
          writer.field("message", node.reason)
        case .cancelled, .unfinished, .skipped, .waiting: break
        }
      }
    }
    writer.breakLine()
  }

  private func write(_ mark: TraceEvent, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("timeUnixNano", time(mark.time.nanoseconds))
      writer.field("name", mark.name)
      writer.attributes { $0.attribute("detail", mark.detail) }
    }
  }

  private func writeLinks(to node: Int, _ writer: inout JSONWriter) {
    var edges: [SpanTable.Edge] = []
    var index = lastEdge[node]
    while index >= 0 {
      edges.append(run.edges[Int(index)])
      index = edgeBefore[Int(index)]
    }
    for edge in edges.reversed() {
      writer.object { writer in
        writer.field("traceId", traceIdentity)
        writer.field("spanId", identity(of: edge.from))
        writer.attributes { $0.attribute("edge.kind", EdgeRecord.Kind(edge.kind).rawValue) }
      }
    }
  }
}

/// FNV-1a, 64 bits, mixed at the end: it only has to differ.
private struct Hash {
  let value: UInt64

  init(_ text: String) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= hash >> 32
    // Identities of zeros only are none.
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
      writer.key("value")
      writer.object(value)
    }
  }
}
