@testable import TimingTrace
@testable import TraceAnalysis
@testable import TraceFormats

/// Imports any bytes as a trace in Chrome's format. An imported trace is shown, saved, exported and imported again.
enum ChromeTarget {
  static let words = [
    "{\"traceEvents\":[", "\"ph\":\"", "\"X\"", "\"B\"", "\"E\"", "\"b\"", "\"e\"", "\"n\"",
    "\"S\"",
    "\"F\"", "\"i\"", "\"C\"", "\"M\"", "\"s\"", "\"t\"", "\"f\"", "\"ts\":", "\"dur\":",
    "\"pid\":",
    "\"tid\":", "\"name\":", "\"cat\":", "\"id\":", "\"id2\":{\"local\":", "\"bind_id\":",
    "\"bp\":\"e\"", "\"flow_in\":true", "\"flow_out\":true", "\"args\":{", "process_name",
    "thread_name", "thread_sort_index", "\"displayTimeUnit\":\"ns\"", "\"otherData\":", "1e308",
    "9007199254740993", "-1", "0.0005", "]}",
  ]

  static func run(_ bytes: [UInt8]) -> Int32 {
    let trace: ChromeImport
    do throws(SavedRunsError) { trace = try ChromeImport(bytes: bytes) } catch {
      check(!error.description.isEmpty, "an error without text")
      return 0
    }
    let saved = SavedRuns(machine: trace.machine, runs: trace.runs)
    RunsTarget.show(SavedRuns(machine: trace.machine, runs: Array(trace.runs.prefix(2))))
    SavingTarget.compare(saved)
    let exported = TraceFormat.chrome.text(of: trace.runs, madeOn: trace.machine)
    do throws(SavedRunsError) {
      let again = try ChromeImport(bytes: Array(exported.utf8))
      // Reading sorts the events of a run, so both sides are read once.
      let first = try SavedRuns(bytes: saved.bytes).bytes
      let second = SavedRuns(machine: again.machine, runs: again.runs).bytes
      check(
        first == second,
        "exported\n\(String(decoding: first, as: UTF8.self))\nand imported\n"
          + String(decoding: second, as: UTF8.self))
    } catch {
      fatalError("an exported trace cannot be imported: \(error)\n\(exported)")
    }
    return 0
  }
}
