internal import TraceBasics

/// Runs in the trace format of Chrome, which Perfetto (ui.perfetto.dev) and `chrome://tracing` load.
///
/// A run is a process, and a lane is a thread. Steps that nest on their lane are slices there. Overlapping steps with
/// arrows are in further rows below all lanes, because only slices of threads can have arrows. Overlapping steps
/// without arrows have separate tracks, and so do the times in which steps were queued. A task has a separate track, too:
/// its slices on threads are the times in which it ran. Each edge is an arrow, each counter is a counter, and each mark is
/// an instant.
///
/// These events are for viewers. `otherData` also contains the runs without any loss: it lists the lines of a file of
/// runs (see `SavedRuns`). ``ChromeImport`` reads this list.
///
/// The format: “Trace Event Format”, Google, 2016. An arrow comes directly after its slice, since Perfetto binds it to
/// the slice that started last on its thread.
public enum ChromeTrace {
  /// The name of the format of `otherData`.
  static let format = "asynchronous-pattern-trace"

  /// The runs as one trace, one event per line.
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
    // Perfetto treats threads with the same number as one thread, whatever their processes, and 0 as no thread.
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
