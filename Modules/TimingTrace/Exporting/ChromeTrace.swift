public import AsyncPatterns

/// Runs in the trace format of Chrome, as Perfetto (ui.perfetto.dev) and `chrome://tracing` load it.
///
/// A run is a process, a lane a thread. Steps that nest on their lane are slices there. Of those that
/// overlap others, as asynchronous steps do, the ones that an edge leads to or from stand in further rows
/// below their lane, because only slices of threads can carry arrows; the rest on tracks of their own.
/// Edges are arrows, counters are counters, marks are instants.
///
/// The format: “Trace Event Format”, Google, 2016. An arrow stands right behind its slice, since Perfetto
/// binds it to the slice that its thread began last.
public enum ChromeTrace {
  /// The runs as one trace, one event a line.
  ///
  /// - Complexity: O(n log n) in the number of events.
  public static func json(_ runs: [(record: RunRecord, events: [TraceEvent])]) -> String {
    var writer = JSONWriter()
    var identities = 0
    // Perfetto takes one number for one thread, whatever its process, and 0 for none.
    var firstThread = 1
    writer.object { writer in
      writer.field("displayTimeUnit", "ns")
      writer.key("traceEvents")
      writer.array { writer in
        for (index, run) in runs.enumerated() {
          let layout = ChromeLayout(run.events, identities: &identities)
          let process = ChromeProcess(
            number: index + 1, firstThread: firstThread, name: run.record.name, layout: layout)
          process.write(to: &writer)
          firstThread += max(layout.rows.count, 1)
        }
      }
    }
    return writer.text
  }

  /// One run as a trace.
  public static func json(_ record: RunRecord, events: [TraceEvent]) -> String {
    json([(record: record, events: events)])
  }
}

/// Writes one run as a process of a trace.
struct ChromeProcess {
  let number: Int
  /// The number of its first row's thread.
  let firstThread: Int
  let name: String
  let layout: ChromeLayout

  func write(to writer: inout JSONWriter) {
    event(.metadata, "process_name", row: 0, to: &writer) {
      $0.arguments { $0.field("name", name.withoutControlCharacters) }
    }
    for (index, row) in layout.rows.enumerated() {
      event(.metadata, "thread_name", row: index, to: &writer) {
        $0.arguments { $0.field("name", row) }
      }
      event(.metadata, "thread_sort_index", row: index, to: &writer) {
        $0.arguments { $0.field("sort_index", index) }
      }
    }
    for slice in layout.slices { write(slice, to: &writer) }
    for counter in layout.counters {
      event(.counter, counter.name, row: 0, at: counter.time, to: &writer) {
        $0.arguments { $0.field("value", counter.number) }
      }
    }
    for mark in layout.marks {
      event(.instant, mark.name, row: mark.row, at: mark.time, to: &writer) { writer in
        writer.field("s", "t")
        writer.arguments { $0.field("detail", mark.detail.withoutControlCharacters) }
      }
    }
  }

  private func write(_ slice: ChromeLayout.Slice, to writer: inout JSONWriter) {
    guard let own = slice.ownTrack else {
      event(.complete, slice.name, row: slice.row, at: slice.from, to: &writer) { writer in
        writer.field("cat", slice.category)
        writer.time("dur", slice.to.subtractingClamped(slice.from))
        describe(slice, to: &writer)
      }
      for arrow in slice.arrows {
        event(
          arrow.isStart ? .arrowStart : .arrowEnd, arrow.name, row: slice.row, at: arrow.time,
          to: &writer
        ) { writer in
          writer.field("cat", "edge")
          writer.field("id", arrow.identity)
          if !arrow.isStart { writer.field("bp", "e") }
        }
      }
      return
    }
    event(.begin, slice.name, row: slice.row, at: slice.from, to: &writer) { writer in
      writer.field("cat", slice.category)
      writer.field("id", own.hexadecimal)
      describe(slice, to: &writer)
    }
    event(.end, slice.name, row: slice.row, at: slice.to, to: &writer) { writer in
      writer.field("cat", slice.category)
      writer.field("id", own.hexadecimal)
    }
  }

  private func describe(_ slice: ChromeLayout.Slice, to writer: inout JSONWriter) {
    writer.arguments { writer in
      for (key, value) in slice.details {
        writer.key(named: key)
        writer.string(value.withoutControlCharacters)
      }
    }
  }

  private enum Phase: String {
    case metadata = "M"
    case complete = "X"
    case begin = "b"
    case end = "e"
    case arrowStart = "s"
    case arrowEnd = "f"
    case counter = "C"
    case instant = "i"
  }

  private func event(
    _ phase: Phase, _ name: String, row: Int, at time: Int64? = nil, to writer: inout JSONWriter,
    _ more: (inout JSONWriter) -> Void
  ) {
    writer.object { writer in
      writer.field("ph", phase.rawValue)
      writer.field("name", name.withoutControlCharacters)
      writer.field("pid", number)
      writer.field("tid", firstThread + row)
      if let time { writer.time("ts", time) }
      more(&writer)
    }
    writer.breakLine()
  }
}

extension JSONWriter {
  fileprivate mutating func arguments(_ body: (inout JSONWriter) -> Void) {
    key("args")
    object(body)
  }

  /// Microseconds, with three decimals so that no nanosecond is lost.
  fileprivate mutating func time(_ name: StaticString, _ nanoseconds: Int64) {
    let fraction = String(nanoseconds.magnitude % 1000)
    key(name)
    raw(
      (nanoseconds < 0 ? "-" : "") + "\(nanoseconds.magnitude / 1000)."
        + String(repeating: "0", count: 3 - fraction.count) + fraction)
  }
}

extension Int {
  fileprivate var hexadecimal: String { "0x" + String(self, radix: 16) }
}

extension String {
  /// Perfetto does not read the `\u` that control characters would need.
  fileprivate var withoutControlCharacters: String {
    guard utf8.contains(where: { $0 < 0x20 }) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      result.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
    }
    return result
  }
}
