public import AsyncPatterns

/// Runs in the trace format of Chrome, as Perfetto (ui.perfetto.dev) and `chrome://tracing` load it.
///
/// A run is a process, a lane a thread. Steps that nest on their lane are slices there. Of those that
/// overlap others, as asynchronous steps do, the ones that an edge leads to or from stand in further rows
/// below their lane, because only slices of threads can carry arrows; the rest on tracks of their own, and so
/// does the time for which steps waited for their turn (`queued`). Each edge is an arrow, counters are
/// counters, marks are instants. `ChromeImport` reads it again.
///
/// The format: “Trace Event Format”, Google, 2016. An arrow stands right behind its slice, since Perfetto
/// binds it to the slice that its thread began last.
public enum ChromeTrace {
  /// The runs as one trace, one event a line.
  ///
  /// - Complexity: O(n log n) in the number of events; a million take less than two seconds.
  public static func json(_ runs: [SavedRun]) -> String {
    var writer = JSONWriter()
    write(runs, to: &writer)
    return writer.text
  }

  /// One run as a trace.
  public static func json(_ record: RunRecord, events: [TraceEvent]) -> String {
    json([
      SavedRun(name: record.name, source: "", composition: "", record: record, events: events)
    ])
  }

  static func write(_ runs: [SavedRun], to writer: inout JSONWriter) {
    var identities = 0
    // Perfetto takes one number for one thread, whatever its process, and 0 for none.
    var firstThread = 1
    writer.object { writer in
      writer.field("displayTimeUnit", "ns")
      writer.key("otherData")
      ChromeRunHeader.write(runs, to: &writer)
      writer.breakLine()
      writer.key("traceEvents")
      writer.array { writer in
        for (index, run) in runs.enumerated() {
          let layout = ChromeLayout(ExportedRun(run), identities: &identities)
          let process = ChromeProcess(
            number: index + 1, firstThread: firstThread, layout: layout)
          process.write(to: &writer, identities: &identities)
          firstThread += max(layout.rows.names.count, 1)
        }
      }
    }
  }
}

/// What the events cannot tell of a run: other programs pass over it, and `ChromeImport` reads it.
enum ChromeRunHeader {
  static let format = "asynchronous-pattern-trace"

  static func write(_ runs: [SavedRun], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("format", format)
      writer.key("runs")
      writer.array { writer in
        for run in runs {
          writer.object { writer in
            let record = run.record
            writer.field("name", run.name.withoutNumberedEscapes)
            writer.field("source", run.source.withoutNumberedEscapes)
            writer.field("composition", run.composition.withoutNumberedEscapes)
            if let script = run.script { writer.field("script", script.withoutNumberedEscapes) }
            if let workers = run.workers { writer.field("workers", workers) }
            writer.field("title", record.name.withoutNumberedEscapes)
            writer.field("pattern", record.pattern)
            writer.field("clock", record.clock.rawValue)
            writer.field("seed", Int64(bitPattern: record.seed))
            writer.field("outcome", record.outcome.rawValue)
            writer.key("value")
            writer.value(record.value.withoutNumberedEscapes)
            writer.field("error", record.error?.withoutNumberedEscapes)
            if let standstill = record.standstill {
              writer.field("standstill", standstill.map(\.withoutNumberedEscapes))
            }
            writer.field("makespan_ns", record.makespan)
            writer.field("dropped_events", record.dropped)
            if let overhead = record.overhead { writer.field("overhead_ns", overhead) }
            if record.isCutOff {
              writer.key("cut_off")
              writer.bool(true)
            }
          }
        }
      }
    }
  }
}

extension Value {
  fileprivate var withoutNumberedEscapes: Value {
    switch self {
    case .string(let text): .string(text.withoutNumberedEscapes)
    case .list(let values): .list(values.map(\.withoutNumberedEscapes))
    default: self
    }
  }
}
