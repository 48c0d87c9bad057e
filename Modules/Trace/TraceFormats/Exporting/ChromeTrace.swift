internal import TraceBasics

/// Runs in the trace format of Chrome, as Perfetto (ui.perfetto.dev) and `chrome://tracing` load it.
///
/// A run is a process, a lane a thread. Steps that nest on their lane are slices there. Of steps that overlap, those
/// with arrows stand in further rows below their lane, because only slices of threads can carry arrows. The others
/// have tracks of their own, and so has the time for which steps were queued. Each edge is an arrow, counters are
/// counters, marks are instants.
///
/// These events are for people. `otherData` also holds the runs exactly: the lines of a file of runs (see
/// `SavedRuns`) as a list. ``ChromeImport`` reads those.
///
/// The format: “Trace Event Format”, Google, 2016. An arrow stands right behind its slice, since Perfetto
/// binds it to the slice that its thread began last.
public enum ChromeTrace {
  /// Names what `otherData` holds.
  static let format = "asynchronous-pattern-trace"

  /// The runs as one trace, one event a line.
  ///
  /// - Complexity: O(n log n) in the number of events.
  public static func json(_ runs: [SavedRun]) -> String {
    var writer = JSONWriter()
    write(SavedRuns(runs: runs), to: &writer)
    return writer.text
  }

  /// One run as a trace.
  public static func json(_ record: RunRecord, events: [TraceEvent]) -> String {
    json([
      SavedRun(name: record.name, source: "", composition: "", record: record, events: events)
    ])
  }

  static func write(_ saved: SavedRuns, to writer: inout JSONWriter) {
    var identities = 0
    // Perfetto takes one number for one thread, whatever its process, and 0 for none.
    var firstThread = 1
    writer.object { writer in
      writer.field("displayTimeUnit", "ns")
      writer.object("otherData") { writer in
        writer.field("format", format)
        writer.key("runs")
        writer.array { writer in
          writer.endLine()
          saved.write(to: &writer)
        }
      }
      writer.endLine()
      writer.key("traceEvents")
      writer.array { writer in
        for (index, run) in saved.runs.enumerated() {
          let layout = ChromeLayout(TraceReading(run), identities: &identities)
          let process = ChromeProcess(
            number: index + 1, firstThread: firstThread, layout: layout)
          process.write(to: &writer, identities: &identities)
          firstThread += max(layout.rows.names.count, 1)
        }
      }
    }
  }
}
